/**
 * How a question can end, as a value an agent can switch on: nothing that a person, a deadline or a
 * rule decides is thrown.
 *
 * An approval is believed only if it is about what was asked: the record must show the very input,
 * and without an offer to edit it must authorize that and nothing else. A bug here would run what
 * nobody saw.
 */
import { ClientError } from '../errors.ts';
import type { AnswersByIndex } from '../transport.ts';
import type { Interaction, JsonObject, Outcome, PermissionMode } from '../../protocol/types.ts';
import type { Ended } from './ask-and-wait.ts';
import type { Question, ToolCall } from './requests.ts';

/** Who decided: somebody (or the clock, `via: 'timeout'`), a rule of the session, or its mode. */
export type DecidedBy =
  | { readonly subject: string; readonly via: string }
  | { readonly rule: string }
  | { readonly mode: PermissionMode };

interface Always {
  readonly by: DecidedBy;
  /** The whole record; missing if nobody was asked. */
  readonly interaction?: Interaction;
}

/** Not allowed, not answered: `message` is what to tell the model. */
export type NotAllowed = Always & { readonly message: string } & (
    | { readonly outcome: 'denied'; readonly reason?: string }
    | { readonly outcome: 'cancelled'; readonly reason?: string }
    | { readonly outcome: 'expired' }
    /** Something else was asked for the same call meanwhile, and this is not followed. */
    | { readonly outcome: 'superseded'; readonly replacedBy: string }
  );

export type ApprovalOutcome =
  | (Always & {
      readonly outcome: 'approved';
      /** What may run: as asked, or as the person changed it. */
      readonly updatedInput: JsonObject;
      /** What the person chose; missing if nobody was asked. */
      readonly offer?: 'once' | 'session';
      readonly reason?: string;
    })
  | NotAllowed;

export type QuestionOutcome =
  | (Always & {
      readonly outcome: 'answered';
      /** By index, as a string; a multiple choice is a list. */
      readonly answers: AnswersByIndex;
      readonly answersByText: Readonly<Record<string, string | readonly string[]>>;
      /** For the model: one line for each question. */
      readonly message: string;
      /** Nobody answered in time; this is what `onExpire` said. */
      readonly isDefault: boolean;
    })
  | NotAllowed;

export type PlanOutcome =
  | (Always & {
      readonly outcome: 'approved';
      readonly permissionMode: 'acceptEdits' | 'default';
      /** The work should start anew with the plan alone. */
      readonly clearContext: boolean;
    })
  | NotAllowed;

export type FormOutcome =
  | (Always & {
      readonly outcome: 'answered';
      readonly values: JsonObject;
      readonly isDefault: boolean;
    })
  | NotAllowed;

const NOBODY = 'Nobody allowed this';
/** What a person is shown of a plan without a text (PLN-1). */
const NO_PLAN = 'Plan is ready for review.';

type Told = Extract<Ended, { readonly type: 'interaction' }>['interaction'];

export function approvalOutcome(call: ToolCall, ended: Ended): ApprovalOutcome {
  if (ended.type === 'decided') return decided(call, ended.decision);
  const { interaction } = ended;
  if (interaction.outcome !== 'approved') return notAllowed(interaction);
  const updatedInput = interaction.updatedInput;
  if (updatedInput === undefined || !isAuthorized(call, interaction, updatedInput)) {
    throw notWhatWasAsked(interaction.interactionId);
  }
  const { offer } = interaction.decision ?? {};
  return {
    outcome: 'approved',
    updatedInput,
    ...((offer === 'once' || offer === 'session') && { offer }),
    ...reasonOf(interaction),
    ...always(interaction),
  };
}

export function questionOutcome(questions: readonly Question[], ended: Ended): QuestionOutcome {
  const interaction = asked(ended);
  const { outcome, answers, reply, defaulted = false } = interaction;
  if (outcome !== 'answered' || answers === undefined) return notAllowed(interaction);
  return {
    outcome,
    answers,
    answersByText: answersByText(questions, answers),
    message: reply?.message ?? '',
    isDefault: defaulted,
    ...always(interaction),
  };
}

export function planOutcome(plan: string | undefined, ended: Ended): PlanOutcome {
  const interaction = asked(ended);
  const { outcome, decision, request } = interaction;
  if (outcome !== 'approved' || decision === undefined) return notAllowed(interaction);
  const shown = plan === undefined || plan.trim() === '' ? NO_PLAN : plan;
  if (request.plan !== shown) throw notWhatWasAsked(interaction.interactionId);
  return {
    outcome,
    permissionMode: decision.targetMode === 'edit' ? 'acceptEdits' : 'default',
    clearContext: decision.clearContext === true,
    ...always(interaction),
  };
}

export function formOutcome(ended: Ended): FormOutcome {
  const interaction = asked(ended);
  const { outcome, values, defaulted = false } = interaction;
  if (outcome !== 'answered' || values === undefined) return notAllowed(interaction);
  return { outcome, values, isDefault: defaulted, ...always(interaction) };
}

function decided({ input }: ToolCall, decision: JsonObject): ApprovalOutcome {
  const by = decision.by as DecidedBy;
  if (decision.behavior !== 'allow') {
    const message = typeof decision.message === 'string' ? decision.message : NOBODY;
    return { outcome: 'denied', message, by };
  }
  const updatedInput = decision.updatedInput as JsonObject;
  if (!isSameJson(updatedInput, input)) throw notWhatWasAsked('a call nobody was asked about');
  return { outcome: 'approved', updatedInput, by };
}

function isAuthorized(call: ToolCall, record: Told, updatedInput: JsonObject): boolean {
  const isShown = record.toolName === call.toolName && isSameJson(record.request.input, call.input);
  const isEdited = !isSameJson(updatedInput, call.input);
  const { authorizedDigest, inputDigest } = record;
  // The digest of what was authorized must tell the same story as the input that came with it.
  const isDigestRight = (authorizedDigest !== inputDigest) === isEdited;
  return isShown && isDigestRight && (!isEdited || call.allowEdit === true);
}

function notAllowed(interaction: Told): NotAllowed {
  const { outcome, reply, replacedBy = '' } = interaction;
  const message = reply?.behavior === 'deny' ? reply.message : NOBODY;
  const rest = { message, ...always(interaction) };
  switch (outcome as Outcome) {
    case 'expired':
      return { outcome: 'expired', ...rest };
    case 'superseded':
      return { outcome: 'superseded', replacedBy, ...rest };
    case 'denied':
      return { outcome: 'denied', ...reasonOf(interaction), ...rest };
    default:
      // Whatever else a server says, also an approval without its decision, allows nothing.
      return { outcome: 'cancelled', ...reasonOf(interaction), ...rest };
  }
}

/** Only approvals can be decided without asking; anything else here is a server that is none of ours. */
function asked(ended: Ended): Told {
  if (ended.type === 'interaction') return ended.interaction;
  throw notWhatWasAsked('what only a person can answer');
}

function always(interaction: Told): Always {
  return { by: interaction.settledBy ?? { subject: '', via: 'system' }, interaction };
}

function reasonOf({ reason }: Told): { reason?: string } {
  return reason === undefined ? {} : { reason };
}

function notWhatWasAsked(what: string): ClientError {
  return new ClientError({
    code: 'input_changed',
    message: `What was authorized is not what was asked (${what}); nothing may run`,
    retry: 'never',
  });
}

/**
 * Answers by the words of the question instead of its index, as a model reads them. Where two questions have the same
 * words the second is called `… (2)`, so that neither is lost.
 */
export function answersByText(
  questions: readonly Pick<Question, 'question'>[],
  answers: AnswersByIndex,
): Readonly<Record<string, string | readonly string[]>> {
  const named = new Map<string, string | readonly string[]>();
  for (const [index, { question }] of questions.entries()) {
    const answer = answers[String(index)];
    if (answer === undefined) continue;
    let name = question;
    for (let count = 2; named.has(name); count += 1) name = `${question} (${count})`;
    named.set(name, answer);
  }
  return Object.fromEntries(named);
}

/** Do two values read the same once they are JSON? Order of members does not count, everything else does. */
function isSameJson(one: unknown, other: unknown): boolean {
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
