/**
 * The kind `approval`: a person lets a tool run with exactly the input on the screen, or with their own edit of it.
 *
 * Of an input that is held beside its record, a person sees a view. So an approval of it says how much the person has
 * read, and takes no edit: an edit of the view would be an edit of what is hidden too.
 *
 * An agent may offer choices of its own. A denial never needs one; an approval does, because a mere approval does not say
 * which of them a person saw.
 */
import { describeChanges } from '../../protocol/describe-changes.ts';
import { reject } from '../../protocol/errors.ts';
import {
  type ApprovalChoice,
  choicesNamed,
  decisionOfWord,
  findChoice,
} from '../../protocol/approval-choices.ts';
import { hidesInput } from '../../protocol/interaction-record.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import { ApprovalAnswer, ApprovalRequest } from '../../protocol/schema/kinds/approval.ts';
import {
  formatAnswerTime,
  defineKind,
  type AnswerEffect,
  type KeptRule,
  type SettleEffect,
} from './kind.ts';
import { checkToolInput, toolSchemaProblem } from '../tools/check-tool-input.ts';

export const approval = defineKind({
  name: 'approval',
  presentation: 'tool',
  request: ApprovalRequest,
  answer: ApprovalAnswer,
  gated: true,
  allowsDefaultAnswer: false,
  allowsQuorum: true,

  problem({ inputSchema, offers, choices }) {
    if (offers !== undefined && choices !== undefined) return 'choices: they replace offers';
    return inputSchema === undefined ? undefined : toolSchemaProblem(inputSchema);
  },

  input: (request) => request.input,
  withView: ({ allowEdit: _allowEdit, ...request }, input) => ({ ...request, input }),

  interpret(interaction, request, answer) {
    const effect =
      'choice' in answer ? interpretChoice(request, answer) : interpretDecision(request, answer);
    return effect.ok && effect.type === 'settle'
      ? withReading(interaction, answer, effect)
      : effect;
  },

  takesText: () => false,
  fromText(record, text, { choices = [] }): ApprovalAnswer | undefined {
    const chosen = findChoice(choices, text);
    const decision = chosen?.decision ?? decisionOfWord(text);
    // A word does not say how much of the input its author has read.
    if (decision === 'approve' && hidesInput(record)) return undefined;
    if (chosen !== undefined) return { choice: chosen.id };
    // Where choices are offered, a mere yes names none of them; a mere no refuses them all.
    const isClear =
      decision === 'deny' ? choicesNamed(choices, text).length === 0 : choices.length === 0;
    return decision !== undefined && isClear ? { decision } : undefined;
  },
  textHint:
    'Reply with exactly one of yes, no, approve, deny, allow or reject; or, if the request offers choices, with the label or id of one, or no. An input that is not shown whole is approved on its card',

  expired: (interaction) => `Tool approval timed out after ${formatAnswerTime(interaction)}`,
  cancelled: 'Interaction cancelled',

  allow(interaction, request) {
    const { wholeInput } = interaction;
    if (wholeInput !== undefined) return { wholeInput };
    const {
      updatedInput = request.input,
      inputDigest,
      authorizedDigest = inputDigest,
    } = interaction;
    if (authorizedDigest === inputDigest) return { updatedInput };
    return { updatedInput, message: describeChanges(request.input, updatedInput) };
  },
  denied({ decision, reason }: Interaction, { choices = [] }) {
    const label = choices.find(({ id }) => id === decision?.choice)?.label.trim();
    return [
      `User denied tool execution${decision?.stop === true ? ' and stopped the turn' : ''}`,
      ...(label === undefined ? [] : [`Choice: ${label}`]),
      ...(reason === undefined ? [] : [`Reason: ${reason}`]),
    ].join('. ');
  },
});

type DecisionAnswer = Exclude<ApprovalAnswer, { choice: string }>;
type ChoiceAnswer = Extract<ApprovalAnswer, { choice: string }>;

const ONLY_A_DENIAL_STOPS = 'Send stop only with a denial';

function interpretDecision(request: ApprovalRequest, answer: DecisionAnswer): AnswerEffect {
  const { stop, updatedInput, exact, rule, everyCommand, offer = 'once' } = answer;
  if (answer.decision === 'deny') {
    const keeps = answer.offer ?? rule ?? everyCommand;
    if (updatedInput !== undefined || keeps !== undefined) {
      return reject('invalid_answer', 'A denial takes a reason, not an edit or an offer');
    }
    return settleDenied({ decision: 'deny', ...(stop && { stop }) }, answer);
  }
  if (stop !== undefined) return reject('invalid_answer', ONLY_A_DENIAL_STOPS);
  const narrows = exact === true || rule !== undefined || everyCommand === true;
  if (narrows && offer !== 'session') {
    return reject(
      'invalid_answer',
      'Send exact, rule and everyCommand only with the offer "session"',
    );
  }
  if (request.choices !== undefined) {
    return rejectChoice(request.choices, 'Approve by one of the choices of this request');
  }
  const offers = request.offers ?? ['once'];
  if (!offers.includes(offer)) {
    return reject('not_offered', `"${offer}" was not offered`, { offers: [...offers] });
  }
  const keepRule = {
    ...rule,
    ...(exact === true && { exact }),
    ...(everyCommand && { everyCommand }),
  };
  return settleApproved(request, answer, { decision: 'approve', offer }, keepRule);
}

function interpretChoice(request: ApprovalRequest, answer: ChoiceAnswer): AnswerEffect {
  const { choices = [] } = request;
  const chosen = choices.find(({ id }) => id === answer.choice);
  if (chosen === undefined) return rejectChoice(choices, 'That choice was not offered');
  const { id: choice, decision, remember, stop = answer.stop } = chosen;
  if (answer.decision !== undefined && answer.decision !== decision) {
    const words = decision === 'approve' ? 'approves' : 'denies';
    return reject('not_offered', `That choice ${words}`, { choice, decision });
  }
  if (decision === 'approve') {
    if (stop !== undefined) return reject('invalid_answer', ONLY_A_DENIAL_STOPS);
    const { everyCommand } = answer;
    if (everyCommand && remember !== 'tool') {
      return reject(
        'invalid_answer',
        'Send everyCommand only with a choice that keeps a rule for a tool',
      );
    }
    const offer = remember === undefined ? 'once' : 'session';
    const exact = remember === 'exact' && { exact: true as const };
    const kept = remember && { ...exact, ...(everyCommand && { everyCommand }) };
    return settleApproved(request, answer, { decision, offer, choice }, kept);
  }
  if (answer.updatedInput !== undefined || answer.everyCommand !== undefined) {
    return reject('invalid_answer', 'A choice that denies takes a reason, not an edit or a rule');
  }
  return settleDenied({ decision, choice, ...(stop && { stop }) }, answer);
}

/** An approval of a held input has no `updatedInput`: the agent runs its own, which the digest names. */
function withReading(
  record: Interaction,
  { read }: ApprovalAnswer,
  effect: SettleEffect,
): AnswerEffect {
  const isAsked = effect.outcome === 'approved' && hidesInput(record);
  if (isAsked && read === undefined) return READ_UNKNOWN;
  if (!isAsked && read !== undefined) {
    return reject('invalid_answer', 'Send read only to approve an input that is not shown whole');
  }
  if (record.wholeInput === undefined) return effect;
  const { updatedInput: _view, ...settled } = effect;
  return isAsked ? { ...settled, decision: { ...effect.decision, read: read ?? '' } } : settled;
}

const READ_UNKNOWN = reject(
  'invalid_answer',
  'Part of this input is not shown. Download and read it and send read: "whole", or send read: "part" to approve what you have not read',
);

function rejectChoice(choices: readonly ApprovalChoice[], message: string): AnswerEffect {
  return reject('not_offered', message, { choices: choices.map(({ id }) => id) });
}

function settleDenied(decision: JsonObject, { reason }: ApprovalAnswer): AnswerEffect {
  const settled = { ok: true, type: 'settle', action: 'deny', outcome: 'denied' } as const;
  return { ...settled, decision, ...reasonFields(reason) };
}

function settleApproved(
  { allowEdit, input, inputSchema }: ApprovalRequest,
  { updatedInput, reason }: ApprovalAnswer,
  decision: JsonObject,
  keepRule: KeptRule | undefined,
): AnswerEffect {
  if (updatedInput !== undefined) {
    if (allowEdit !== true) return reject('not_offered', 'This input may not be edited');
    const fieldErrors = inputSchema && checkToolInput(inputSchema, updatedInput);
    if (fieldErrors !== undefined) {
      return reject('invalid_values', 'The edited input does not fit the tool', { fieldErrors });
    }
  }
  return {
    ok: true,
    type: 'settle',
    action: 'approve',
    outcome: 'approved',
    decision,
    updatedInput: updatedInput ?? input,
    ...reasonFields(reason),
    ...(decision.offer === 'session' && keepRule !== undefined && { keepRule }),
  };
}

function reasonFields(text: string | undefined): { reason?: string } {
  const reason = text?.trim() || undefined;
  return reason === undefined ? {} : { reason };
}
