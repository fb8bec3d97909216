/**
 * Plan review: four decisions on a plan, one of which waits for the person's feedback.
 *
 * Only an approved plan yields a `PlanDecision`; the three ways of approving stand in one table.
 */
import { reject } from '../../protocol/errors.ts';
import {
  type PlanDecision,
  PlanReviewAnswer,
  PlanReviewRequest,
} from '../../protocol/schema/kinds/plan-review.ts';
import type { PermissionMode } from '../../protocol/schema/session.ts';
import { defineKind, type AnswerEffect } from './kind.ts';

interface Approval {
  readonly decision: PlanDecision;
  readonly permissionMode: PermissionMode;
}

const PLAN_APPROVALS: Readonly<Record<'edit' | 'clean_edit' | 'default', Approval>> = {
  edit: {
    decision: { permission: 'allow', clearContext: false, targetMode: 'edit' },
    permissionMode: 'acceptEdits',
  },
  clean_edit: {
    decision: { permission: 'allow', clearContext: true, targetMode: 'edit' },
    permissionMode: 'acceptEdits',
  },
  default: {
    decision: { permission: 'allow', clearContext: true, targetMode: 'default' },
    permissionMode: 'default',
  },
};

export const PLAN_WITHOUT_TEXT = 'The agent sent no plan text.';
const ADJUST_WITHOUT_FEEDBACK = 'Please adjust the plan.';

export const planReview = defineKind({
  name: 'plan_review',
  presentation: 'tool',
  request: PlanReviewRequest,
  answer: PlanReviewAnswer,
  gated: false,
  allowsDefaultAnswer: false,
  allowsQuorum: true,

  complete: ({ plan = '' }) => ({ plan: plan.trim() === '' ? PLAN_WITHOUT_TEXT : plan }),
  // Reviews that were opened before plans were completed may lack the text.
  input: (request) => ({ plan: request.plan ?? PLAN_WITHOUT_TEXT }),

  interpret(_interaction, _request, answer): AnswerEffect {
    if (answer.decision === 'adjust') {
      if (answer.feedback === undefined) {
        return { ok: true, type: 'advance', change: 'feedback', awaitingFeedback: true };
      }
      return {
        ok: true,
        type: 'settle',
        action: 'deny',
        outcome: 'denied',
        reason: answer.feedback.trim() || ADJUST_WITHOUT_FEEDBACK,
      };
    }
    if (answer.feedback !== undefined) {
      return reject('invalid_answer', 'Send feedback only with the decision "adjust"');
    }
    const { decision, permissionMode } = PLAN_APPROVALS[answer.decision];
    return {
      ok: true,
      type: 'settle',
      action: 'approve',
      outcome: 'approved',
      decision: { ...decision },
      permissionMode,
    };
  },

  takesText: () => true,
  fromText: (_interaction, text): PlanReviewAnswer => ({ decision: 'adjust', feedback: text }),
  textHint: 'Write what should change in the plan',

  expired: () => 'Plan review timed out',
  cancelled: 'Plan review cancelled',

  allow: (_interaction, request) => ({ updatedInput: request }),
  denied: (interaction) => interaction.reason ?? ADJUST_WITHOUT_FEEDBACK,
});
