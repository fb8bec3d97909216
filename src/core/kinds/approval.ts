/** The kind `approval`: a person lets a tool run with exactly the input on the screen, or with their own edit of it. */
import { describeChanges } from '../../protocol/describe-changes.ts';
import { reject } from '../../protocol/errors.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import { ApprovalAnswer, ApprovalRequest } from '../../protocol/schema/kinds/approval.ts';
import { formatAnswerTime, defineKind, type AnswerEffect } from './kind.ts';
import { checkToolInput, toolSchemaProblem } from '../tools/check-tool-input.ts';

const YES = new Set(['yes', 'approve', 'allow']);
const NO = new Set(['no', 'deny', 'reject']);

export const approval = defineKind({
  name: 'approval',
  presentation: 'tool',
  request: ApprovalRequest,
  answer: ApprovalAnswer,
  gated: true,
  allowsDefaultAnswer: false,

  problem: (request) =>
    request.inputSchema === undefined ? undefined : toolSchemaProblem(request.inputSchema),

  input: (request) => request.input,

  interpret(_interaction, request, answer): AnswerEffect {
    const reason = answer.reason?.trim() || undefined;
    if (answer.decision === 'deny') {
      if (answer.updatedInput !== undefined || answer.offer !== undefined) {
        return reject('invalid_answer', 'A denial takes a reason, not an edit or an offer');
      }
      const settled = { ok: true, type: 'settle', action: 'deny', outcome: 'denied' } as const;
      return { ...settled, decision: { decision: 'deny' }, ...(reason && { reason }) };
    }
    if (answer.exact === true && answer.offer !== 'session') {
      return reject('invalid_answer', 'Send exact only with the offer "session"');
    }
    const offers = request.offers ?? ['once'];
    const offer = answer.offer ?? 'once';
    if (!offers.includes(offer)) {
      return reject('not_offered', `"${offer}" was not offered`, { offers: [...offers] });
    }
    if (answer.updatedInput !== undefined) {
      if (request.allowEdit !== true) {
        return reject('not_offered', 'This input may not be edited');
      }
      const fieldErrors =
        request.inputSchema && checkToolInput(request.inputSchema, answer.updatedInput);
      if (fieldErrors !== undefined) {
        return reject('invalid_values', 'The edited input does not fit the tool', { fieldErrors });
      }
    }
    return {
      ok: true,
      type: 'settle',
      action: 'approve',
      outcome: 'approved',
      decision: { decision: 'approve', offer },
      updatedInput: answer.updatedInput ?? request.input,
      ...(reason && { reason }),
      ...(offer === 'session' && { keepRule: answer.exact === true ? 'exact' : 'tool' }),
    };
  },

  takesText: () => false,
  fromText(_interaction, text): ApprovalAnswer | undefined {
    const word = text.trim().toLowerCase();
    if (YES.has(word)) return { decision: 'approve' };
    if (NO.has(word)) return { decision: 'deny' };
    return undefined;
  },
  textHint: 'Reply with exactly one of yes, no, approve, deny, allow or reject',

  expired: (interaction) => `Tool approval timed out after ${formatAnswerTime(interaction)}`,
  cancelled: 'Interaction cancelled',

  allow(interaction, request) {
    const {
      updatedInput = request.input,
      inputDigest,
      authorizedDigest = inputDigest,
    } = interaction;
    if (authorizedDigest === inputDigest) return { updatedInput };
    return { updatedInput, message: describeChanges(request.input, updatedInput) };
  },
  denied: (interaction: Interaction) =>
    interaction.reason === undefined
      ? 'User denied tool execution'
      : `User denied tool execution. Reason: ${interaction.reason}`,
});
