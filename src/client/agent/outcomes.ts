/**
 * The outcomes of a question, as values that an agent can switch on.
 *
 * An approval counts only if it is about this call: the record must show the same input, and unless the call allows edits
 * it must authorize exactly that input. A bug here would run an input that no person saw.
 */
import { type ShownChoice, shownChoices } from '../../protocol/describe-answers.ts';
import { describeChanges } from '../../protocol/describe-changes.ts';
import { ClientError } from '../errors.ts';
import type { AnswersByIndex } from '../transport.ts';
import type {
  AttachedFile,
  Interaction,
  JsonObject,
  Outcome,
  PermissionMode,
} from '../../protocol/types.ts';
import { type AskResult, asSent, wholeInputOf } from './ask-until-settled.ts';
import type { Question, ToolCall } from './requests.ts';

/** Who decided: a person or program (the clock as `via: 'timeout'`), a rule of the session, or its mode. */
export type DecidedBy =
  | { readonly subject: string; readonly via: string }
  | { readonly rule: string }
  | { readonly mode: PermissionMode };

interface OutcomeCommon {
  readonly by: DecidedBy;
  /** Files that people attached to the answer; `attachedFile` of the client has their bytes. */
  readonly attachments?: readonly AttachedFile[];
  /** The whole record; missing if a rule or the mode decided. */
  readonly interaction?: Interaction;
}

/** Neither allowed nor answered; `message` is for the model. */
export type NotAllowed = OutcomeCommon & { readonly message: string } & (
    | {
        readonly outcome: 'denied';
        readonly reason?: string;
        /** The id of the choice; missing if the call offered none, and for a plain denial. */
        readonly choice?: string;
        /** The person wants the turn to end, and nothing else to be tried. */
        readonly stop?: true;
      }
    | { readonly outcome: 'cancelled'; readonly reason?: string }
    | { readonly outcome: 'expired' }
    /** A newer request for the same call replaced this one; the call does not follow it. */
    | { readonly outcome: 'superseded'; readonly replacedBy: string }
  );

export type ApprovalOutcome =
  | (OutcomeCommon & {
      readonly outcome: 'approved';
      /** The authorized input: the requested one, or the person's edit of it. */
      readonly updatedInput: JsonObject;
      readonly isEdited: boolean;
      /** For the model: which fields the person changed, with their old and new values; missing without an edit. */
      readonly changes?: string;
      /** The choice of the person; missing if a rule or the mode decided. */
      readonly offer?: 'once' | 'session';
      /** The id of the choice; missing if the call offered none, and if a rule or the mode decided. */
      readonly choice?: string;
      readonly reason?: string;
    })
  | NotAllowed;

export type QuestionOutcome =
  | (OutcomeCommon & {
      readonly outcome: 'answered';
      /** By index, as a string; a multiple choice is a list. */
      readonly answers: AnswersByIndex;
      readonly answersByText: Readonly<Record<string, string | readonly string[]>>;
      /** For the model: one line for each question. */
      readonly message: string;
      /** The deadline passed, and this is the answer of `onExpire`. */
      readonly isDefault: boolean;
    })
  | NotAllowed;

export type PlanOutcome =
  | (OutcomeCommon & {
      readonly outcome: 'approved';
      readonly permissionMode: 'acceptEdits' | 'default';
      /** The work should start again with only the plan as context. */
      readonly clearContext: boolean;
    })
  | NotAllowed;

export type FormOutcome =
  | (OutcomeCommon & {
      readonly outcome: 'answered';
      readonly values: JsonObject;
      readonly isDefault: boolean;
    })
  | NotAllowed;

/** A person opened the link; with `awaitCompletion`, and it is done. */
export type LinkOutcome = (OutcomeCommon & { readonly outcome: 'answered' }) | NotAllowed;

const NOT_ALLOWED = 'Nobody allowed this';
/** Shown for a plan without text (PLN-1). */
const NO_PLAN = 'The agent sent no plan text.';

export function approvalOutcome(call: ToolCall, ended: AskResult): ApprovalOutcome {
  if (ended.type === 'decided') return decidedOutcome(call, ended);
  const { interaction } = ended;
  if (interaction.outcome !== 'approved') return notAllowed(interaction);
  const isHeld = wholeInputOf(ended) !== undefined;
  if (isHeld && !isOwnInput(call, ended)) throw inputChangedError(interaction.interactionId);
  const updatedInput = isHeld ? asSent(call.input) : interaction.updatedInput;
  const isAuthorized = isHeld || isAuthorizedInput(call, interaction, updatedInput);
  if (updatedInput === undefined || !isAuthorized) {
    throw inputChangedError(interaction.interactionId);
  }
  const { offer } = interaction.decision ?? {};
  const changes = isHeld ? '' : describeChanges(interaction.request.input, updatedInput);
  return {
    outcome: 'approved',
    updatedInput,
    isEdited: changes !== '',
    ...(changes !== '' && { changes }),
    ...((offer === 'once' || offer === 'session') && { offer }),
    ...chosenOf(interaction),
    ...givenReason(interaction),
    ...commonParts(interaction),
  };
}

export function questionOutcome(questions: readonly Question[], ended: AskResult): QuestionOutcome {
  const interaction = requireInteraction(ended);
  const { outcome, answers, reply, defaulted = false } = interaction;
  if (outcome !== 'answered' || answers === undefined) return notAllowed(interaction);
  return {
    outcome,
    answers,
    answersByText: answersByText(questions, answers),
    message: reply?.message ?? '',
    isDefault: defaulted,
    ...commonParts(interaction),
  };
}

export function planOutcome(plan: string | undefined, ended: AskResult): PlanOutcome {
  const interaction = requireInteraction(ended);
  const { outcome, decision, request } = interaction;
  if (outcome !== 'approved' || decision === undefined) return notAllowed(interaction);
  const shown = plan === undefined || plan.trim() === '' ? NO_PLAN : plan;
  if (request.plan !== shown) throw inputChangedError(interaction.interactionId);
  return {
    outcome,
    permissionMode: decision.targetMode === 'edit' ? 'acceptEdits' : 'default',
    clearContext: decision.clearContext === true,
    ...commonParts(interaction),
  };
}

export function formOutcome(ended: AskResult): FormOutcome {
  const interaction = requireInteraction(ended);
  const { outcome, values, defaulted = false } = interaction;
  if (outcome !== 'answered' || values === undefined) return notAllowed(interaction);
  return { outcome, values, isDefault: defaulted, ...commonParts(interaction) };
}

export function linkOutcome(url: string, ended: AskResult): LinkOutcome {
  const interaction = requireInteraction(ended);
  const { outcome, request, interactionId } = interaction;
  if (outcome !== 'answered') return notAllowed(interaction);
  if (request.url !== new URL(url).href) throw inputChangedError(interactionId);
  return { outcome, ...commonParts(interaction) };
}

function decidedOutcome(
  call: ToolCall,
  ended: Extract<AskResult, { type: 'decided' }>,
): ApprovalOutcome {
  const { input } = call;
  const { decision } = ended;
  const by = decision.by as DecidedBy;
  if (decision.behavior !== 'allow') {
    const message = typeof decision.message === 'string' ? decision.message : NOT_ALLOWED;
    return { outcome: 'denied', message, by };
  }
  const isOwn =
    wholeInputOf(ended) === undefined
      ? equalsAsJson(decision.updatedInput, input)
      : isOwnInput(call, ended);
  if (!isOwn) throw inputChangedError('a call that a rule decided');
  return { outcome: 'approved', updatedInput: asSent(input), isEdited: false, by };
}

/** Of an input that is too large for its record, which takes no edit: the outcome is about exactly the input of this call. */
function isOwnInput(call: ToolCall, ended: AskResult): boolean {
  const { ownSha256 } = ended;
  if (ownSha256 === undefined || wholeInputOf(ended) !== ownSha256) return false;
  if (ended.type === 'decided') return true;
  const { toolName, inputDigest, authorizedDigest } = ended.interaction;
  return toolName === call.toolName && authorizedDigest === inputDigest;
}

function isAuthorizedInput(
  call: ToolCall,
  record: Interaction,
  updatedInput: JsonObject | undefined,
): boolean {
  const isShown =
    record.toolName === call.toolName && equalsAsJson(record.request.input, call.input);
  const isEdited = !equalsAsJson(updatedInput, call.input);
  const { authorizedDigest, inputDigest } = record;
  // The two digests must agree with the two inputs about whether the input was edited.
  const isDigestRight = (authorizedDigest !== inputDigest) === isEdited;
  return isShown && isDigestRight && (!isEdited || call.allowEdit === true);
}

function notAllowed(interaction: Interaction): NotAllowed {
  const { outcome, reply, replacedBy = '' } = interaction;
  const message = reply?.behavior === 'deny' ? reply.message : NOT_ALLOWED;
  const rest = { message, ...commonParts(interaction) };
  switch (outcome as Outcome) {
    case 'expired':
      return { outcome: 'expired', ...rest };
    case 'superseded':
      return { outcome: 'superseded', replacedBy, ...rest };
    case 'denied':
      return {
        outcome: 'denied',
        ...givenReason(interaction),
        ...chosenOf(interaction),
        ...(interaction.decision?.stop === true && { stop: true }),
        ...rest,
      };
    default:
      // Every other outcome, also an approval without a decision, allows nothing.
      return { outcome: 'cancelled', ...givenReason(interaction), ...rest };
  }
}

/** Rules and the mode decide only approvals; for another kind such a reply is a fault of the server. */
export function requireInteraction(ended: AskResult): Interaction {
  if (ended.type === 'interaction') return ended.interaction;
  throw inputChangedError('a question that only a person can answer');
}

function commonParts(interaction: Interaction): OutcomeCommon {
  const { settledBy, reply } = interaction;
  const { attachments } = reply ?? {};
  return {
    by: settledBy ?? { subject: '', via: 'system' },
    ...(attachments && { attachments }),
    interaction,
  };
}

function givenReason({ reason }: Interaction): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

function chosenOf({ decision }: Interaction): { choice?: string } {
  return typeof decision?.choice === 'string' ? { choice: decision.choice } : {};
}

function inputChangedError(subject: string): ClientError {
  return new ClientError({
    code: 'input_changed',
    message: `The authorized input is not the requested one (${subject}); nothing may run`,
    retry: 'never',
  });
}

/**
 * Answers under the text of each question instead of its index, for a model. If two questions have the same text, the key
 * of the second ends in ` (2)`.
 */
export function answersByText(
  questions: readonly Pick<Question, 'question'>[],
  answers: AnswersByIndex,
): Readonly<Record<string, string | readonly string[]>> {
  return byText(questions, answers, (_asked, answer) => answer);
}

/** The same as a model reads it: each answer as a list, in which the person's own words are marked (QST-11). */
export function choicesByText(
  questions: readonly Pick<Question, 'question' | 'options'>[],
  answers: AnswersByIndex,
): Readonly<Record<string, readonly ShownChoice[]>> {
  return byText(questions, answers, shownChoices);
}

function byText<Asked extends Pick<Question, 'question'>, Shown>(
  questions: readonly Asked[],
  answers: AnswersByIndex,
  show: (asked: Asked, answer: AnswersByIndex[string]) => Shown,
): Readonly<Record<string, Shown>> {
  const named = new Map<string, Shown>();
  for (const [index, asked] of questions.entries()) {
    const answer = answers[String(index)];
    if (answer === undefined) continue;
    let name = asked.question;
    for (let count = 2; named.has(name); count += 1) name = `${asked.question} (${count})`;
    named.set(name, show(asked, answer));
  }
  return Object.fromEntries(named);
}

/** Compares two values by their JSON; the order of members does not matter. */
export function equalsAsJson(one: unknown, other: unknown): boolean {
  return isSame(asJson(one), asJson(other));
}

function asJson(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other;
  }
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const entries = Object.entries(one);
  return (
    entries.length === Object.keys(other).length &&
    entries.every(
      ([key, value]) => Object.hasOwn(other, key) && isSame(value, Reflect.get(other, key)),
    )
  );
}
