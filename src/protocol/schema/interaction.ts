/**
 * The record of one interaction, as stored and as shown.
 *
 * The parts of a kind (`request`, `answers`, `decision`, `values`, `updatedInput`) are plain JSON here; `kinds/` has their
 * schemas, so a new kind changes nothing in this file.
 */
import { isObject, type JsonObject } from '../types.ts';
import * as z from './zod.ts';
import { Opener, Settler } from './actor.ts';
import { AttachedFile } from './attached-file.ts';
import { Audience, StoredAudience } from './audience.ts';
import { Correlate, Correlated } from './correlate.ts';
import { AgentInstance, InteractionId, ResponseId, ToolCallId, TurnId } from './ids.ts';
import { LIMITS } from '../limits.ts';
import { CitedRule } from './cited-rule.ts';
import { PermissionMode, TimeoutSeconds } from './session.ts';

export const Outcome = z.enum([
  'approved',
  'denied',
  'answered',
  'cancelled',
  'expired',
  'superseded',
]);
export type Outcome = z.infer<typeof Outcome>;

export const Action = z.enum(['approve', 'deny', 'submit', 'cancel']);
export type Action = z.infer<typeof Action>;

export const Presentation = z.enum(['tool', 'questionnaire']);
export type Presentation = z.infer<typeof Presentation>;

export const KindName = z.string().regex(/^[a-z][a-z_]{0,31}$/, 'Not the name of a kind');
export const ToolName = z.string().min(1).max(LIMITS.toolNameChars);

const PlainObject = z.custom<JsonObject>(isObject, 'Use a JSON object');
export const JsonObjectSchema = PlainObject.meta({ type: 'object' });

export const Answers = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type Answers = z.infer<typeof Answers>;

/** The effect of the deadline: a denial, a given answer, or only a mark. */
const OnExpire = z.union([
  z.literal('deny'),
  z.literal('keep'),
  z.strictObject({ answer: JsonObjectSchema }),
]);

export const FieldErrors = z.record(z.string(), z.string());

const ChosenId = z
  .string()
  .optional()
  .describe('The id of the choice by which a person decided an approval that offered choices.');

/**
 * Of an input that is held beside the record, because it is too large for it or only text carries it without loss.
 * `request.input` is a view of it, with the middle of long texts left out.
 */
export const WholeInput = z
  .strictObject({
    bytes: z.number().describe('Of the input as canonical JSON.'),
    sha256: z.string().describe('Over these bytes.'),
    hiddenChars: z.number().describe('Characters of its texts that the view leaves out.'),
    isText: z
      .literal(true)
      .optional()
      .describe('The view is the JSON text of the input, and not the same value.'),
  })
  .meta({ id: 'WholeInput' });
export type WholeInput = z.infer<typeof WholeInput>;

const AttachedToAnswer = z
  .array(AttachedFile)
  .optional()
  .describe('Files that came with the answer; `message` names them too.');

/** The reply to the agent after the interaction settles. */
export const AgentReply = z.union([
  z.strictObject({
    behavior: z.literal('allow'),
    updatedInput: JsonObjectSchema,
    message: z.string().optional(),
    choice: ChosenId,
    attachments: AttachedToAnswer,
  }),
  z.strictObject({
    behavior: z.literal('allow'),
    wholeInput: WholeInput.describe(
      'In place of a large `updatedInput`: the tool may run with exactly the input of this digest.',
    ),
    message: z.string().optional(),
    choice: ChosenId,
    attachments: AttachedToAnswer,
  }),
  z.strictObject({
    behavior: z.literal('deny'),
    message: z.string(),
    choice: ChosenId,
    stop: z.literal(true).optional().describe('The person ends the turn with this denial.'),
    attachments: AttachedToAnswer,
  }),
]);
export type AgentReply = z.infer<typeof AgentReply>;

/** The call of a later instance of the agent that has the question, and its answer, from here on. */
export const ReassignedTo = z.strictObject({
  toolCallId: ToolCallId,
  agentInstance: AgentInstance,
  at: z.number(),
});

/** The decision that a request takes back: it asks the same again. */
export const Undoes = z.strictObject({
  interactionId: InteractionId,
  outcome: Outcome,
  settledBy: Settler,
  settledAt: z.number(),
  by: Settler,
});

/** What a decision was before a person took it back. */
export const Undone = z.strictObject({ outcome: Outcome, by: Settler, at: z.number() });

/** How a call ended that was allowed where its agent runs, while a person was asked here. */
export const Elsewhere = z.enum(['completed', 'failed']);

/** What a decision made of the permission mode of its session. */
export const ModeChange = z.strictObject({ from: PermissionMode, to: PermissionMode });

/** How many people must approve; `of` narrows who counts. */
export const Quorum = z
  .strictObject({
    approvals: z.number().int().min(1).max(LIMITS.quorumApprovals),
    of: Audience.exactOptional(),
  })
  .meta({ id: 'Quorum', description: 'How many people must approve; one denial ends it.' });
export type Quorum = z.infer<typeof Quorum>;

export const StoredQuorum = z.strictObject({
  approvals: z.number(),
  of: StoredAudience.exactOptional(),
});
export type StoredQuorum = z.infer<typeof StoredQuorum>;

/** The approval of one person, of those that a quorum counts; `by.subject` is the person. */
export const Vote = z.strictObject({
  by: Settler,
  at: z.number(),
  decision: JsonObjectSchema.optional(),
  authorizedDigest: z.string().describe('Of the input that is approved, after any edit.'),
  effectDigest: z.string().describe('Of everything that the approval would do; the same for all.'),
});
export type Vote = z.infer<typeof Vote>;

/** Who is looking at a request. Advice for others, who may answer all the same; after `until` it is over. */
export const Claim = z.strictObject({ by: Settler, until: z.number() });
export type Claim = z.infer<typeof Claim>;

/** The last change of whom a request is for, by one of those who were asked. */
export const Handover = z.strictObject({
  by: Settler,
  at: z.number(),
  to: StoredAudience,
  from: StoredAudience.nullable()
    .optional()
    .describe('Who was asked before; null: everyone. Absent in older logs.'),
  note: z.string().optional(),
  number: z.number().optional().describe('How often it was handed over. Absent in older logs.'),
});
export type Handover = z.infer<typeof Handover>;

/** The ids of an interaction, repeated in each event about it. */
export const InteractionIds = {
  interactionId: InteractionId,
  toolCallId: ToolCallId,
  toolName: ToolName,
  kind: KindName,
};

/** Who may answer now. In each event about the interaction, so that an announcement needs no other. */
export const AskedAudience = StoredAudience.optional().describe(
  'Who may answer, beside administrators; everyone with the scope if left out.',
);

/** The fields of a request that the record takes from its event as they are. */
export const RequestFields = {
  request: JsonObjectSchema,
  wholeInput: WholeInput.optional(),
  requestDigest: z.string(),
  inputDigest: z.string(),
  askedBy: CitedRule.optional().describe('The rule because of which a person is asked.'),
  correlate: Correlate.optional(),
  correlated: Correlated.optional(),
  agentInstance: AgentInstance.optional(),
  openedAt: z.number(),
  openedBy: Opener,
  expiresAt: z.number().nullable(),
  timeoutMs: z.number().nullable(),
  onExpire: OnExpire,
  detached: z.boolean().optional(),
  audience: AskedAudience,
  remindAt: z.number().optional(),
  escalateAt: z.number().optional(),
  escalateTo: StoredAudience.optional().describe('Who is asked as well from `escalateAt` on.'),
  quorum: StoredQuorum.optional().describe('How many people must approve.'),
  notRequester: z.literal(true).optional().describe('Who asked may not decide.'),
  undoes: Undoes.optional().describe('The decision that was taken back; the same is asked again.'),
};

export const Interaction = z
  .strictObject({
    ...InteractionIds,
    presentation: Presentation,
    turnId: TurnId.optional(),
    responseId: ResponseId.optional(),
    ...RequestFields,
    escalatedTo: StoredAudience.optional(),
    extendedBy: z.string().optional(),
    overdue: z.boolean().optional(),
    status: z.enum(['open', 'settled']),
    outcome: Outcome.nullable(),
    settledAt: z.number().nullable(),
    settledBy: Settler.nullable(),
    reason: z.string().optional(),
    elsewhere: Elsewhere.optional().describe(
      'It was answered at the terminal of the agent, and the call has run: how that ended.',
    ),
    answers: Answers.optional(),
    partialAnswers: Answers.optional(),
    current: z.number().optional(),
    votes: z
      .array(Vote)
      .optional()
      .describe('The approvals so far, where `quorum` asks for several'),
    attachments: z
      .array(AttachedFile)
      .optional()
      .describe('Files that people attached to their answers'),
    claim: Claim.optional(),
    handover: Handover.optional(),
    awaitingFeedback: z.boolean().optional(),
    linkOpened: z
      .literal(true)
      .optional()
      .describe('A person opened the link, and it is not complete'),
    linkCompleted: z
      .literal(true)
      .optional()
      .describe('The agent reported its end before a person opened it'),
    decision: JsonObjectSchema.optional(),
    values: JsonObjectSchema.optional(),
    updatedInput: JsonObjectSchema.optional(),
    authorizedDigest: z.string().optional(),
    modeChange: ModeChange.optional(),
    undone: Undone.optional().describe(
      'It was decided, and a person took that back; `replacedBy` asks again',
    ),
    defaulted: z.boolean().optional(),
    replaces: InteractionId.optional(),
    replacedBy: InteractionId.optional(),
    reprompts: z.number().optional(),
    inputChanged: z
      .literal(true)
      .optional()
      .describe('An earlier request of this tool call asked something else and was never decided'),
    errorSummary: z.string().optional(),
    fieldErrors: FieldErrors.optional(),
    typedValues: JsonObjectSchema.optional(),
    deliveredAt: z.number().optional(),
    shownAt: z
      .number()
      .optional()
      .describe(
        'When an agent could first read the outcome without waiting for it, in the log or a list',
      ),
    acknowledgedAt: z
      .number()
      .optional()
      .describe('When the call that has the interaction said that it has the outcome'),
    reusedAt: z
      .number()
      .optional()
      .describe(
        'When a permission request of the same call took this approval of a `PreToolUse` hook',
      ),
    reassignedTo: ReassignedTo.optional(),
    rev: z.number(),
  })
  .meta({ id: 'InteractionRecord' });
export type Interaction = z.infer<typeof Interaction>;

/** The record in responses: with the reply to the agent, and whether an agent is connected. */
export const InteractionView = Interaction.extend({
  reply: AgentReply.optional(),
  agentWaiting: z.boolean().optional(),
}).meta({ id: 'Interaction' });
export type InteractionView = z.infer<typeof InteractionView>;

export const Seconds = z
  .number()
  .int('Use whole seconds')
  .min(LIMITS.timeoutMinSeconds)
  .max(LIMITS.timeoutMaxSeconds);

/** The fields of a request that every kind shares; the rest of the body belongs to the kind. */
export const OpenCommon = {
  toolCallId: ToolCallId.optional(),
  /** Describes the tool call whose id the sender does not know; never together with `toolCallId`. */
  correlate: Correlate.optional(),
  /** Names one life of the agent: a later one finds the questions and answers that an earlier one left behind. */
  agentInstance: AgentInstance.optional(),
  toolName: ToolName,
  kind: KindName,
  turnId: TurnId.optional(),
  responseId: ResponseId.optional(),
  timeoutSeconds: TimeoutSeconds.optional(),
  /** Used if neither the session, the workspace nor the deployment has a setting. */
  defaultTimeoutSeconds: TimeoutSeconds.optional(),
  onExpire: OnExpire.optional(),
  audience: Audience.optional(),
  remindAfter: Seconds.optional(),
  escalateAfter: Seconds.optional(),
  /** Asked as well after `escalateAfter`. */
  escalateTo: Audience.optional(),
  quorum: Quorum.optional(),
  /** Who asked may not decide, not even as an administrator. */
  notRequester: z.literal(true).optional(),
  detached: z.boolean().optional(),
  reopen: z.boolean().optional(),
  errorSummary: z.string().min(1).max(LIMITS.reasonChars).optional(),
  fieldErrors: FieldErrors.optional(),
};
export const OpenCommonSchema = z.strictObject(OpenCommon);
export type OpenCommon = z.infer<typeof OpenCommonSchema>;
