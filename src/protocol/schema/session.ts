/** A session as the wire shows it: its settings, rules, queued text and files. */
import * as z from './zod.ts';
import { Opener } from './actor.ts';
import { AgentSettings, AgentView } from './agent-settings.ts';
import { AttachedFile } from './attached-file.ts';
import { Labels } from './audience.ts';
import { CliSessionView } from './cli-session.ts';
import { fitsInBytes } from '../bytes.ts';
import { SessionId, TurnId } from './ids.ts';
import { LIMITS } from '../limits.ts';
import { Usage } from './usage.ts';

export const PermissionMode = z.enum(['default', 'acceptEdits', 'plan', 'bypassPermissions']);
export type PermissionMode = z.infer<typeof PermissionMode>;

export const TimeoutSeconds = z
  .number()
  .int('Use whole seconds')
  .min(LIMITS.timeoutMinSeconds)
  .max(LIMITS.timeoutMaxSeconds)
  .nullable()
  .describe('Whole seconds until the deadline, 1 second to 365 days; null waits without one.');

/** Deadlines by kind; a kind that is missing falls back to the next wider setting, and has none without any. */
export const Timeouts = z
  .record(z.string().regex(/^[a-z][a-z_]{0,31}$/), TimeoutSeconds)
  .describe('Seconds by interaction kind, for example {"approval": 600}.');
export type Timeouts = z.infer<typeof Timeouts>;

/** As a client sets them; a socket keeps those of the workspace, and has little room. */
export const TimeoutsInput = Timeouts.refine(
  (timeouts) => Object.keys(timeouts).length <= LIMITS.timeoutKinds,
  `Name at most ${LIMITS.timeoutKinds} kinds`,
);

export const Metadata = z
  .record(
    z.string().max(LIMITS.metadataNameChars),
    z.union([z.string().max(LIMITS.metadataTextChars), z.number(), z.boolean(), z.null()]),
  )
  .refine(
    (value) => fitsInBytes(JSON.stringify(value), LIMITS.metadataBytes),
    'Metadata is too large',
  );

const Title = z.string().min(1).max(LIMITS.titleChars);

export const QueuedMessage = z.strictObject({
  id: z.string(),
  text: z.string(),
  subject: z.string(),
  at: z.number(),
  attachments: z.array(AttachedFile).optional(),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

const TurnView = z.strictObject({
  turnId: TurnId.optional(),
  startedAt: z.number(),
  /** Whose turn it is; absent for the built-in agent. */
  by: Opener.optional(),
});

export const SessionView = z
  .strictObject({
    id: SessionId,
    workspace: z.string(),
    title: z.string().nullable(),
    permissionMode: PermissionMode,
    timeouts: Timeouts,
    metadata: Metadata,
    labels: Labels.optional(),
    /** Behind a filter of the list; a request or a message brings it back. Absent: it never was. */
    archived: z.boolean().optional(),
    createdAt: z.number(),
    /** Tokens of all turns that reported theirs. */
    usage: Usage.optional(),
    /** The turn that began last, and those of other credentials that still run behind it, oldest first. */
    turn: TurnView.nullable(),
    otherTurns: z.array(TurnView).optional(),
    queued: z.array(QueuedMessage),
    /** The `conversation_compacted` that can be taken back, oldest first; the last one is what the agent reads. */
    summaries: z.array(z.number()).optional(),
    waitingForPerson: z.boolean(),
    /** Null where the agent runs elsewhere. */
    agent: AgentView.nullable(),
    /** In the order in which they were added. */
    cliSessions: z.array(CliSessionView),
  })
  .meta({ id: 'Session' });
export type SessionView = z.infer<typeof SessionView>;

export const CreateSession = z
  .strictObject({
    id: SessionId.optional(),
    title: Title.optional(),
    permissionMode: PermissionMode.optional(),
    timeouts: TimeoutsInput.optional(),
    metadata: Metadata.optional(),
    labels: Labels.optional(),
    agent: AgentSettings.optional(),
  })
  .meta({ id: 'CreateSession' });

export type SessionInput = z.input<typeof CreateSession>;

export const UpdateSession = z
  .strictObject({
    title: Title.optional(),
    permissionMode: PermissionMode.optional(),
    timeouts: TimeoutsInput.optional(),
    metadata: Metadata.optional(),
    labels: Labels.optional(),
    archived: z.boolean().optional(),
  })
  .refine((body) => Object.keys(body).length > 0, 'Name at least one thing to change')
  .meta({ id: 'UpdateSession' });

export type SessionChanges = z.input<typeof UpdateSession>;

/** A file that the built-in agent keeps in its session. */
export const SessionFileEntry = z
  .strictObject({
    path: z.string(),
    /** In bytes of UTF-8. */
    size: z.number(),
    updatedAt: z.number(),
  })
  .meta({ id: 'SessionFileEntry' });
export type SessionFileEntry = z.infer<typeof SessionFileEntry>;

export const SessionFile = SessionFileEntry.extend({ content: z.string() }).meta({
  id: 'SessionFile',
});
export type SessionFile = z.infer<typeof SessionFile>;
