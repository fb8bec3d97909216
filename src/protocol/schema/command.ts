/**
 * The commands of a session.
 *
 * HTTP bodies, socket frames and alarms become one of these before they reach the session, so each command has one schema and
 * one meaning. Bodies are strict: an unknown field is a mistake that the sender should learn of.
 */
import * as z from './zod.ts';
import { AttachmentIds } from './attached-file.ts';
import type { AudienceRule, VoterStanding } from './audience-rule.ts';
import { Audience } from './audience.ts';
import type { Caller } from '../caller.ts';
import type { Correlated } from './correlate.ts';
import type { CliSession } from './cli-session.ts';
import { AppendedEvent } from './event.ts';
import { IdempotencyKey, InteractionId, ResponseId, SessionId, ToolCallId, TurnId } from './ids.ts';
import { JsonObjectSchema, type OpenCommon, OpenCommonSchema, ToolName } from './interaction.ts';
import type { JsonObject } from '../json.ts';
import type { HistoryExtent } from './history.ts';
import { LIMITS } from '../limits.ts';
import type { CreateRule, Rule } from './rule.ts';
import { CreateSession, type PermissionMode, type Timeouts, UpdateSession } from './session.ts';
import { reject, type Rejection } from '../errors.ts';
import { schemaRejection } from './rejection.ts';

export const SendMessage = z
  .strictObject({
    text: z
      .string()
      .max(LIMITS.textChars)
      .refine((text) => text.trim() !== '', 'Must not be blank'),
    replyTo: InteractionId.optional(),
    attachments: AttachmentIds.optional().describe('Files that the session has.'),
  })
  .meta({ id: 'SendMessage' });

export const AppendEvents = z
  .strictObject({
    events: z.array(AppendedEvent).min(1),
  })
  .meta({ id: 'AppendEvents' });

/** One event `tool_call` in a short form. */
export const ReportToolCall = z
  .strictObject({
    toolCallId: ToolCallId,
    toolName: ToolName,
    input: JsonObjectSchema,
    turnId: TurnId.optional(),
    responseId: ResponseId.optional(),
  })
  .meta({ id: 'ReportToolCall' });

export const CancelOne = z
  .strictObject({ reason: z.string().max(LIMITS.reasonChars).optional() })
  .meta({ id: 'CancelRequest' });

/** A call that lost its interaction to the next instance of its agent may not take it back. */
export const CancelByCall = CancelOne.extend({
  toolCallId: ToolCallId.optional().describe(
    'The call that takes its question back; refused if another one has it by now.',
  ),
}).meta({ id: 'CancelInteraction' });

export const ClaimRequest = z
  .strictObject({ release: z.literal(true).optional().describe('Ends the own claim.') })
  .meta({ id: 'ClaimInteraction' });

export const HandOver = z
  .strictObject({
    audience: Audience,
    note: z.string().min(1).max(LIMITS.reasonChars).optional().describe('For those who are asked.'),
  })
  .meta({ id: 'HandOverInteraction' });

export const Acknowledge = z
  .strictObject({
    toolCallId: ToolCallId.describe('The call that has the outcome and is about to act on it.'),
  })
  .meta({ id: 'AcknowledgeOutcome' });

/** The result of a client tool; the model reads an error like any other result. */
export const ToolResult = z
  .strictObject({
    output: z.string().max(LIMITS.eventTextChars),
    isError: z.boolean().default(false),
  })
  .meta({ id: 'ToolResult' });

/** The digest of the shown input; the server only compares it, so every text is accepted. */
export const InputDigest = z.string().min(1).max(LIMITS.digestChars);

const SingleDecision = { inputDigest: InputDigest.optional(), answer: JsonObjectSchema };
const DIGEST_TWICE = {
  message: 'Give it beside the answer or in it, not both',
  path: ['inputDigest'],
};

function isDigestGivenOnce(given: { answer: JsonObject; inputDigest?: string | undefined }) {
  return given.inputDigest === undefined || !('inputDigest' in given.answer);
}

const BatchDecision = z
  .union([
    z.strictObject({ interactionId: InteractionId, ...SingleDecision }),
    z.strictObject({ toolCallId: ToolCallId, ...SingleDecision }),
  ])
  .refine(isDigestGivenOnce, DIGEST_TWICE);
export const DecideBatch = z
  .strictObject({
    decisions: z.array(BatchDecision).min(1).max(LIMITS.decisionsPerBatch),
  })
  .meta({ id: 'DecideBatch' });

export type BatchDecision = z.output<typeof BatchDecision>;

export const OpenBatch = z
  .strictObject({
    requests: z
      .array(JsonObjectSchema)
      .min(1)
      .max(LIMITS.openingsPerBatch)
      .describe('Each as the body of `POST …/interactions`, without `correlate`.'),
  })
  .meta({ id: 'OpenBatch' });

const InboxDecision = z
  .strictObject({
    sessionId: SessionId,
    interactionId: InteractionId,
    ...SingleDecision,
    idempotencyKey: IdempotencyKey.optional().describe(
      'Of this answer: a repeat gets its first result.',
    ),
  })
  .refine(isDigestGivenOnce, DIGEST_TWICE);
/** Answers in several sessions. */
export const DecideInbox = z
  .strictObject({
    decisions: z.array(InboxDecision).min(1).max(LIMITS.decisionsPerBatch),
  })
  .meta({ id: 'DecideInbox' });

export const RestoreConversation = z
  .strictObject({
    seq: z.number().int().min(1).describe('Of the `conversation_compacted`.'),
  })
  .meta({ id: 'RestoreConversation' });

export type InboxDecision = z.output<typeof InboxDecision>;

type AnswerTarget =
  | { readonly interactionId: string }
  | { readonly toolCallId: string; readonly kinds?: readonly string[]; readonly missing?: string };

interface Commands {
  'session.create': z.output<typeof CreateSession>;
  'session.update': { changes: z.output<typeof UpdateSession> };
  'session.delete': object;
  'session.clear': object;
  'turn.interrupt': object;
  'turn.retry': object;
  /** `seq` of the `conversation_compacted` that is taken back. */
  'conversation.restore': z.output<typeof RestoreConversation>;
  'message.send': z.output<typeof SendMessage>;
  'message.remove': { messageId: string };
  'tool.result': { toolCallId: string } & z.output<typeof ToolResult>;
  'events.append': { events: readonly AppendedEvent[] };
  'cli.map': { cli: CliSession };
  /** What is stored once the rows beside this command are written. */
  'history.import': Pick<CliSession, 'provider' | 'cliSessionId'> & HistoryExtent;
  /** With `correlated`, `common` has the id of the call that was found. */
  'interaction.open': {
    common: OpenCommon;
    request: JsonObject;
    correlated?: Correlated;
    /** Of an agent elsewhere: an input that is too large for a record is held beside it. */
    mayHold?: boolean;
    /** The input, where only text carries it without loss; the request has an empty object in its place. */
    inputText?: string;
  };
  /** What cannot be read is refused in its place. */
  'interactions.open': { openings: readonly (CommandOf<'interaction.open'> | Rejection)[] };
  'interaction.answer': { target: AnswerTarget; answer: JsonObject };
  'interaction.cancel': {
    interactionId: string;
    reason?: string | undefined;
    toolCallId?: string | undefined;
  };
  'interactions.cancel': { reason?: string | undefined };
  'interaction.complete': { interactionId: string };
  'interaction.extend': { interactionId: string };
  'interaction.undo': { interactionId: string };
  'interaction.withdraw': { interactionId: string };
  'interaction.claim': { interactionId: string } & z.output<typeof ClaimRequest>;
  'interaction.handover': { interactionId: string } & z.output<typeof HandOver>;
  'rule.add': { rule: CreateRule };
  'rule.revoke': { ruleId: string };
  'deadlines.run': object;
}

export type CommandType = keyof Commands;
export type CommandOf<T extends CommandType> = { readonly type: T } & Readonly<Commands[T]>;
export type Command = { [T in CommandType]: CommandOf<T> }[CommandType];

/** The context of a command: the caller, the idempotency key, and the defaults of workspace and deployment. */
export interface Context {
  readonly caller: Caller;
  /** Scoped to credential and route by the sender; the body hash tells a repeat from a reuse. */
  readonly idempotency?: {
    readonly key: string;
    readonly bodyHash: string;
    /** The key is the id of a reported tool call. */
    readonly isToolCall?: boolean;
  };
  /** Deadlines of the deployment and the workspace, for kinds the session says nothing about. */
  readonly timeouts: Timeouts;
  /** Whether the opener may not answer; forbidden by default. */
  readonly forbidSelfApproval?: boolean;
  /** Of a new session that names none. */
  readonly permissionMode?: PermissionMode;
  /** The session reads them from its workspace, where a command needs them (`session/audiences.ts`). */
  readonly membership?: { readonly groups: readonly string[]; readonly targets: readonly string[] };
  readonly voters?: readonly VoterStanding[];
  readonly audienceRules?: readonly AudienceRule[];
  readonly workspaceRules?: readonly Rule[];
}

/** Reads an opening: one flat object, whose fields beyond the common ones belong to its kind. */
export function openCommand(
  body: JsonObject,
  inputText?: string,
): CommandOf<'interaction.open'> | Rejection {
  const common: JsonObject = {};
  const request: JsonObject = {};
  for (const [name, value] of Object.entries(body)) {
    const part = Object.hasOwn(OpenCommonSchema.shape, name) ? common : request;
    part[name] = value;
  }
  const parsed = OpenCommonSchema.safeParse(common);
  if (!parsed.success) return schemaRejection(parsed.error);
  if (parsed.data.correlate !== undefined && parsed.data.toolCallId !== undefined) {
    return reject(
      'invalid_request',
      'correlate: the call is known by its toolCallId; send one of the two',
    );
  }
  return {
    type: 'interaction.open',
    common: parsed.data,
    request,
    mayHold: true,
    ...(inputText !== undefined && { inputText }),
  };
}

/** Several openings in one commit. None of them waits for its tool call: it would hold up the others. */
export function openBatchCommand({
  requests,
}: z.output<typeof OpenBatch>): CommandOf<'interactions.open'> {
  const openings = requests.map((body) => {
    const opening = openCommand(body);
    if ('ok' in opening || opening.common.correlate === undefined) return opening;
    const message = 'correlate: a batch does not wait for tool calls; send this request alone';
    return reject('invalid_request', message);
  });
  return { type: 'interactions.open', openings };
}
