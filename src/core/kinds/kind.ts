/**
 * A kind of interaction. A new kind is a module that calls `defineKind`, and a line in `kinds/index.ts`;
 * docs/new-kind.md lists the few places that know kinds by name.
 *
 * A kind never settles an interaction: it turns an answer into an effect (`AnswerEffect`), and `settle.ts` writes the
 * events, so that every ending of every kind is written the same way.
 */
import * as z from '../../protocol/schema/zod.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type {
  Action,
  AgentReply,
  Answers,
  Interaction,
  Outcome,
  Presentation,
  WholeInput,
} from '../../protocol/schema/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { RuleChoice } from '../../protocol/schema/rule.ts';
import type { PermissionMode } from '../../protocol/schema/session.ts';
import { describeAttachedFiles } from '../../protocol/describe-attached-files.ts';
import { describeDuration } from '../../protocol/duration.ts';

/** A type and not an interface: an effect is hashed as JSON. */
export type KeptRule = RuleChoice & { readonly exact?: true; readonly everyCommand?: true };

export type AnswerEffect =
  | Rejection
  | {
      readonly ok: true;
      readonly type: 'advance';
      readonly change: 'step' | 'feedback' | 'link_opened' | 'link_completed';
      readonly current?: number;
      readonly partialAnswers?: Answers;
      readonly awaitingFeedback?: boolean;
      readonly linkOpened?: true;
      readonly linkCompleted?: true;
    }
  | {
      readonly ok: true;
      readonly type: 'settle';
      readonly action: Action;
      readonly outcome: Outcome;
      readonly reason?: string;
      readonly answers?: Answers;
      readonly decision?: JsonObject;
      readonly values?: JsonObject;
      readonly updatedInput?: JsonObject;
      /** A rule the person chose to keep: for the tool, for exactly this input, or for a part of its inputs. */
      readonly keepRule?: KeptRule;
      /** The mode an approved plan asks for. */
      readonly permissionMode?: PermissionMode;
    };

/** An answer that ends the interaction. */
export type SettleEffect = Extract<AnswerEffect, { type: 'settle' }>;

export interface Kind {
  readonly name: string;
  readonly presentation: Presentation;
  /** An object, because its fields stand beside the common ones in the body of an opening. */
  readonly request: z.ZodObject & z.ZodType<JsonObject>;
  readonly answer: z.ZodType<JsonObject>;
  /** Whether rules and the permission mode may decide instead of a person. */
  readonly gated: boolean;
  /** Whether an opener may declare an answer for the deadline (`onExpire: {answer}`). */
  readonly allowsDefaultAnswer: boolean;
  /** Whether several people may have to approve. */
  readonly allowsQuorum: boolean;
  /** The reason why this request may have no default answer although its kind allows one. */
  defaultAnswerProblem?(request: JsonObject): string | undefined;
  /** A problem that the schema of the request cannot express. */
  problem?(request: JsonObject): string | undefined;
  /** Fills in omitted fields before the request is shown, digested or stored. */
  complete(request: JsonObject): JsonObject;
  /** The exact input a person is shown, which digests bind. */
  input(request: JsonObject): JsonObject;
  /** The request with a view in the place of an input that is too large for a record; absent where none can be. */
  withView?(request: JsonObject, view: JsonObject): JsonObject;
  interpret(interaction: Interaction, answer: JsonObject): AnswerEffect;
  /** What a report of the agent means that its wait is over elsewhere; undefined where there is no such report. */
  completion(interaction: Interaction): AnswerEffect | undefined;
  /** The reason why its outcome cannot be taken back; undefined where it can. */
  undoProblem(interaction: Interaction): string | undefined;
  /** Whether chat text that names no interaction can answer this interaction now. */
  takesText(interaction: Interaction): boolean;
  /** Undefined if the text is no answer. */
  fromText(interaction: Interaction, text: string): JsonObject | undefined;
  /** The message for text that is no answer to this interaction. */
  readonly textHint: string;
  expired(interaction: Interaction): string;
  readonly cancelled: string;
  reply(interaction: Interaction): AgentReply;
}

export type KindRegistry = ReadonlyMap<string, Kind>;

/** The time a person had to answer, extension included. */
export function formatAnswerTime({ openedAt, expiresAt }: Interaction): string {
  return describeDuration((expiresAt ?? openedAt) - openedAt);
}

type AllowedInput =
  | { readonly updatedInput: object; readonly message?: string }
  | { readonly wholeInput: WholeInput };

export interface KindDefinition<Request, Answer> {
  readonly name: string;
  readonly presentation: Presentation;
  /** One flat object: its fields stand beside the common ones in the body of an opening. */
  readonly request: z.ZodObject & z.ZodType<Request>;
  readonly answer: z.ZodType<Answer>;
  readonly gated: boolean;
  readonly allowsDefaultAnswer: boolean;
  /** Left out where one person decides. */
  readonly allowsQuorum?: true;
  defaultAnswerProblem?(request: Request): string | undefined;
  problem?(request: Request): string | undefined;
  /** Left out where a request is shown as it was given. */
  complete?(request: Request): Request;
  input(request: Request): object;
  /** Left out where a request must fit into its record. */
  withView?(request: Request, view: JsonObject): Request;
  interpret(interaction: Interaction, request: Request, answer: Answer): AnswerEffect;
  /** Left out where the agent cannot report the end of its own wait. */
  completion?(interaction: Interaction, request: Request): AnswerEffect | undefined;
  /** Left out where every decision can be taken back. */
  undoProblem?(interaction: Interaction): string | undefined;
  takesText(interaction: Interaction, request: Request): boolean;
  fromText(interaction: Interaction, text: string, request: Request): Answer | undefined;
  readonly textHint: string;
  expired(interaction: Interaction): string;
  readonly cancelled: string;
  allow(interaction: Interaction, request: Request): AllowedInput;
  /** Left out where no answer is a no. */
  denied?(interaction: Interaction, request: Request): string;
}

/**
 * Defines a kind in its own types, and returns the `Kind` that the other modules use.
 *
 * Input that passed the schema of a kind is JSON; a stored request was checked when it was opened and is read back as
 * the type of the kind. The reply to the agent follows from the outcome alike for every kind: `approved` and `answered`
 * allow, every other outcome denies.
 */
export function defineKind<Request, Answer>(kind: KindDefinition<Request, Answer>): Kind {
  const requestOf = (interaction: Interaction) => interaction.request as Request;
  const { problem, defaultAnswerProblem, withView } = kind;
  return {
    name: kind.name,
    presentation: kind.presentation,
    request: kind.request as z.ZodObject & z.ZodType<JsonObject>,
    answer: kind.answer as unknown as z.ZodType<JsonObject>,
    gated: kind.gated,
    allowsDefaultAnswer: kind.allowsDefaultAnswer,
    allowsQuorum: kind.allowsQuorum === true,
    ...(defaultAnswerProblem && {
      defaultAnswerProblem: (request) => defaultAnswerProblem(request as Request),
    }),
    ...(problem && { problem: (request) => problem(request as Request) }),
    complete: (request) => kind.complete?.(request as Request) ?? request,
    input: (request) => kind.input(request as Request) as JsonObject,
    ...(withView && {
      withView: (request, view) => withView(request as Request, view) as JsonObject,
    }),
    interpret: (interaction, answer) =>
      kind.interpret(interaction, requestOf(interaction), answer as Answer),
    completion: (interaction) => kind.completion?.(interaction, requestOf(interaction)),
    undoProblem: (interaction) => kind.undoProblem?.(interaction),
    takesText: (interaction) => kind.takesText(interaction, requestOf(interaction)),
    fromText: (interaction, text) =>
      kind.fromText(interaction, text, requestOf(interaction)) as JsonObject | undefined,
    textHint: kind.textHint,
    expired: kind.expired,
    cancelled: kind.cancelled,
    reply: (interaction) => replyToAgent(kind, interaction, requestOf(interaction)),
  };
}

/** Files reach every agent: those that read the reply as data, and those that show its message to a model. */
function replyToAgent<Request, Answer>(
  kind: KindDefinition<Request, Answer>,
  interaction: Interaction,
  request: Request,
): AgentReply {
  const reply = replyWithoutFiles(kind, interaction, request);
  const { attachments = [], outcome } = interaction;
  const isAnswer = outcome === 'approved' || outcome === 'answered' || outcome === 'denied';
  if (attachments.length === 0 || !isAnswer) return reply;
  const lines = [reply.message, describeAttachedFiles(attachments)].filter(Boolean);
  return { ...reply, message: lines.join('\n\n'), attachments };
}

function replyWithoutFiles<Request, Answer>(
  kind: KindDefinition<Request, Answer>,
  interaction: Interaction,
  request: Request,
): AgentReply {
  switch (interaction.outcome) {
    case 'approved':
    case 'answered':
      return {
        behavior: 'allow',
        ...kind.allow(interaction, request),
        ...choiceFields(interaction),
      } as AgentReply;
    case 'denied': {
      const message = kind.denied?.(interaction, request) ?? kind.cancelled;
      const isStop = interaction.decision?.stop === true;
      const chosen = choiceFields(interaction);
      return { behavior: 'deny', message, ...chosen, ...(isStop && { stop: true }) };
    }
    case 'expired':
      return { behavior: 'deny', message: kind.expired(interaction) };
    case 'superseded':
      return {
        behavior: 'deny',
        message: 'Replaced by a changed request; wait for the outcome of that request',
      };
    case 'cancelled':
    case null:
      return { behavior: 'deny', message: kind.cancelled };
  }
}

/** The choice by which a person decided, where the request offered some. */
function choiceFields({ decision }: Interaction): { choice?: string } {
  const choice = decision?.choice;
  return typeof choice === 'string' ? { choice } : {};
}

/**
 * Finds the kind of an interaction, or a substitute for a kind that this deployment no longer has. With the substitute
 * an open interaction can be cancelled and can expire, so that no agent waits forever, but it cannot be answered.
 */
export function findKind(kinds: KindRegistry, interaction: Interaction): Kind {
  return kinds.get(interaction.kind) ?? createRetiredKind(interaction.kind);
}

function createRetiredKind(name: string): Kind {
  return defineKind({
    name,
    presentation: 'tool',
    request: z.looseObject({}),
    answer: z.looseObject({}),
    gated: false,
    allowsDefaultAnswer: false,
    input: (request) => request,
    interpret: () =>
      reject(
        'unknown_kind',
        `This deployment no longer has the kind "${name}"; cancel the interaction instead`,
      ),
    takesText: () => false,
    fromText: () => undefined,
    textHint: 'This can no longer be answered; cancel it',
    expired: () => 'Timed out',
    cancelled: 'Interaction cancelled',
    allow: () => ({ updatedInput: {} }),
  });
}
