/**
 * The log: everything that happened in a session, in order.
 *
 * One discriminated union on `type`; the same shape is stored, replayed, streamed and exported.
 * `seq` counts 1, 2, 3… without a gap; `at` is the server's time. A stored event is never changed:
 * a field that is added later is optional, and code that reads it says what its absence means.
 *
 * `turnId` and `responseId` come from the agent, or are absent; the server makes none for it.
 */
import * as z from './zod.ts';
import { Opener, Settler } from './actor.ts';
import { AgentView } from './agent-settings.ts';
import { AttachedFile } from './attached-file.ts';
import { Labels, StoredAudience } from './audience.ts';
import { CliSession } from './cli-session.ts';
import { Correlate } from './correlate.ts';
import { InteractionId, ResponseId, ToolCallId, TurnId } from './ids.ts';
import {
  Action,
  Answers,
  AskedAudience,
  Claim,
  FieldErrors,
  Handover,
  InteractionIds,
  JsonObjectSchema,
  Elsewhere,
  ModeChange,
  Outcome,
  Presentation,
  ReassignedTo,
  RequestFields,
  ToolName,
  Undone,
  Vote,
  WholeInput,
} from './interaction.ts';
import type { JsonObject } from '../json.ts';
import { LIMITS } from '../limits.ts';
import { CitedRule } from './cited-rule.ts';
import { Rule } from './rule.ts';
import { Metadata, PermissionMode, QueuedMessage, Timeouts } from './session.ts';
import { Usage } from './usage.ts';

export const Text = z.string().max(LIMITS.eventTextChars);

/**
 * The agent elsewhere that reports the start, end or failure of a turn; the session writes it. Agents often send no turn id,
 * and without this field a replay could not tell which of several turns ends.
 */
const Reporter = { by: Opener.optional() };

const InteractionPending = z.strictObject({
  toolCallId: ToolCallId,
  toolName: ToolName,
  pending: z.boolean(),
  presentation: Presentation.optional(),
  interactionId: InteractionId,
});

const RequestPayload = z.strictObject({
  ...InteractionIds,
  presentation: Presentation,
  ...RequestFields,
  replaces: InteractionId.optional(),
  reprompts: z.number().optional(),
  inputChanged: z.literal(true).optional(),
  errorSummary: z.string().optional(),
  fieldErrors: FieldErrors.optional(),
  typedValues: JsonObjectSchema.optional(),
  offers: z.array(z.string()).optional(),
  allowEdit: z.boolean().optional(),
});

/**
 * A change that does not settle the interaction: a step, a vote, awaited feedback, a link opened or completed, more time, a
 * reminder, overdue. Once it is settled: another call that has it from here on, or a decision that was taken back.
 */
const InteractionUpdate = z.strictObject({
  ...InteractionIds,
  change: z.enum([
    'step',
    'feedback',
    'link_opened',
    'link_completed',
    'extended',
    'reminder',
    'escalated',
    'overdue',
    'reassigned',
    'undone',
    'vote',
    'vote_withdrawn',
    'claimed',
    'released',
    'handed_over',
  ]),
  audience: AskedAudience,
  escalatedTo: StoredAudience.optional(),
  current: z.number().optional(),
  partialAnswers: Answers.optional(),
  awaitingFeedback: z.boolean().optional(),
  linkOpened: z.literal(true).optional(),
  linkCompleted: z.literal(true).optional(),
  expiresAt: z.number().nullable().optional(),
  reassignedTo: ReassignedTo.optional(),
  undone: Undone.optional(),
  /** All that count from here on. */
  votes: z.array(Vote).optional(),
  /** All that answers brought so far. */
  attachments: z.array(AttachedFile).optional(),
  claim: Claim.optional(),
  handover: Handover.optional(),
  replacedBy: InteractionId.optional(),
  by: Settler.optional(),
});

const InteractionResponse = z.strictObject({
  ...InteractionIds,
  audience: AskedAudience,
  action: Action,
  outcome: Outcome,
  answers: Answers.optional(),
  decision: JsonObjectSchema.optional(),
  updatedInput: JsonObjectSchema.optional(),
  values: JsonObjectSchema.optional(),
  reason: z.string().optional(),
  elsewhere: Elsewhere.optional(),
  defaulted: z.boolean().optional(),
  settledBy: Settler,
  settledAt: z.number(),
  inputDigest: z.string(),
  authorizedDigest: z.string().optional(),
  modeChange: ModeChange.optional(),
  votes: z.array(Vote).optional(),
  attachments: z.array(AttachedFile).optional(),
  replacedBy: InteractionId.optional(),
  /** The message for the agent if the call is not allowed. */
  message: z.string().optional(),
});

export const PAYLOADS = {
  session_started: z.strictObject({
    title: z.string().optional(),
    permissionMode: PermissionMode,
    timeouts: Timeouts.optional(),
    metadata: Metadata.optional(),
    labels: Labels.optional(),
    agent: AgentView.optional(),
    createdBy: Opener,
  }),
  session_updated: z.strictObject({
    title: z.string().optional(),
    permissionMode: PermissionMode.optional(),
    timeouts: Timeouts.optional(),
    metadata: Metadata.optional(),
    labels: Labels.optional(),
    archived: z.boolean().optional(),
    queued: z.array(QueuedMessage).optional(),
    ruleAdded: Rule.optional(),
    ruleRevoked: z.string().optional(),
    /** A conversation of a command-line agent that belongs to the session from here on, or what changed in it. */
    cliSession: CliSession.optional(),
    by: Settler,
  }),
  session_status: z.strictObject({
    status: z.enum(['retrying', 'deleted']),
    message: z.string().optional(),
    by: Settler.optional(),
  }),
  turn_started: z.strictObject({
    title: z.string().max(LIMITS.titleChars).optional(),
    ...Reporter,
  }),
  turn_ended: z.strictObject({
    reason: z.enum(['completed', 'interrupted', 'error', 'cleared']).default('completed'),
    message: Text.optional(),
    /** Tokens of all answers of the model in this turn. */
    usage: Usage.optional(),
    ...Reporter,
  }),
  user_message: z.strictObject({
    text: z.string(),
    subject: z.string(),
    messageId: z.string().optional(),
    attachments: z.array(AttachedFile).optional(),
  }),
  /** `partial`: the answer was interrupted here. */
  assistant_text: z.strictObject({ text: Text, partial: z.literal(true).optional() }),
  thinking: z.strictObject({ text: Text }),
  tool_call: z.strictObject({
    toolName: ToolName,
    input: JsonObjectSchema,
    /** `input` is a view of a larger one, which is stored nowhere. */
    wholeInput: WholeInput.optional(),
    /** Set by the gate for an opening that described its call; the id is then a fresh one. */
    correlate: Correlate.optional(),
    /** A client of the session runs the call once it is allowed, and posts its result. */
    runBy: z.literal('client').optional(),
    /** Set by the gate when a rule or the mode decided without asking a person. */
    decided: z
      .strictObject({
        behavior: z.enum(['allow', 'deny']),
        by: z.union([CitedRule, z.strictObject({ mode: PermissionMode })]),
      })
      .optional(),
  }),
  tool_result: z.strictObject({
    output: z.unknown().optional(),
    isError: z.boolean().optional(),
  }),
  interaction_pending: InteractionPending,
  interaction_request: RequestPayload,
  interaction_update: InteractionUpdate,
  interaction_response: InteractionResponse,
  history_imported: z.strictObject({
    provider: z.string(),
    cliSessionId: z.string(),
    /** How many entries are stored after the import. */
    entries: z.number(),
    /** Grows when entries are replaced. */
    rev: z.number(),
  }),
  context_cleared: z.strictObject({ by: Settler }),
  /** From here on the model reads `summary` in the place of the messages up to `to`, which stay stored. */
  conversation_compacted: z.strictObject({
    summary: z.string().max(LIMITS.summaryChars),
    /** Of the stored messages, from 1. A later summary holds the earlier one too. */
    to: z.number().int().min(1),
    tokensBefore: z.number(),
    /** As far as it is known before the next answer. */
    tokensAfter: z.number(),
    model: z.string(),
    /** Of the request for the summary; the turn counts them too. */
    usage: Usage,
  }),
  /** The model reads the messages again in the place of that summary. */
  conversation_restored: z.strictObject({ compactedSeq: z.number().int().min(1), by: Settler }),
  error: z.strictObject({
    message: Text,
    code: z.string().max(LIMITS.errorCodeChars).optional(),
    ...Reporter,
  }),
} as const;

export type EventType = keyof typeof PAYLOADS;
export const EVENT_TYPES = Object.keys(PAYLOADS) as [EventType, ...EventType[]];

/** The ids that attach an event to a turn, a response or a tool call, if they are known. */
const Envelope = {
  turnId: TurnId.optional(),
  responseId: ResponseId.optional(),
  toolCallId: ToolCallId.optional(),
};

type Draft<T extends EventType> = {
  readonly [K in T]: {
    readonly type: K;
    readonly turnId?: string;
    readonly responseId?: string;
    readonly toolCallId?: string;
    readonly payload: z.output<(typeof PAYLOADS)[K]>;
  };
}[T];

/** A decided event without its `seq`. */
export type DraftEvent = Draft<EventType>;
export type SessionEvent = DraftEvent & { readonly seq: number; readonly at: number };
export type EventOf<T extends EventType> = Extract<SessionEvent, { type: T }>;

const members = EVENT_TYPES.map((type) =>
  z.strictObject({
    seq: z.number().int().min(1),
    at: z.number(),
    type: z.literal(type),
    ...Envelope,
    payload: PAYLOADS[type] as z.ZodType<JsonObject>,
  }),
);
export const SessionEventSchema = z
  .discriminatedUnion('type', members as [(typeof members)[number], ...typeof members])
  .meta({ id: 'SessionEvent' }) as unknown as z.ZodType<SessionEvent>;

/** The events that an agent elsewhere may append; only the session writes the others. */
export const APPENDABLE = [
  'turn_started',
  'turn_ended',
  'assistant_text',
  'thinking',
  'tool_call',
  'tool_result',
  'error',
] as const satisfies readonly EventType[];
export type AppendableType = (typeof APPENDABLE)[number];

const ToolCallPayload = PAYLOADS.tool_call.omit({
  decided: true,
  runBy: true,
  correlate: true,
  wholeInput: true,
});

export const AppendedEvent = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...Envelope,
      type: z.literal('turn_started'),
      payload: PAYLOADS.turn_started.omit({ by: true }).default({}),
    }),
    z.strictObject({
      ...Envelope,
      type: z.literal('turn_ended'),
      payload: PAYLOADS.turn_ended.omit({ by: true }).default({ reason: 'completed' }),
    }),
    z.strictObject({
      ...Envelope,
      type: z.literal('assistant_text'),
      payload: PAYLOADS.assistant_text,
    }),
    z.strictObject({ ...Envelope, type: z.literal('thinking'), payload: PAYLOADS.thinking }),
    z.strictObject({
      ...Envelope,
      toolCallId: ToolCallId,
      type: z.literal('tool_call'),
      payload: ToolCallPayload,
    }),
    z.strictObject({
      ...Envelope,
      toolCallId: ToolCallId,
      type: z.literal('tool_result'),
      payload: PAYLOADS.tool_result,
    }),
    z.strictObject({
      ...Envelope,
      type: z.literal('error'),
      payload: PAYLOADS.error.omit({ by: true }),
    }),
  ])
  .meta({ id: 'AppendedEvent' });
export type AppendedEvent = Draft<AppendableType>;
/** The form that an agent sends: fields with a default are optional. */
export type AppendedEventInput = z.input<typeof AppendedEvent>;
