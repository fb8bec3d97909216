/**
 * The types of the wire under the names that clients use, and the guards for values of unknown shape. No schema is imported,
 * so that none is bundled.
 */
import type { JsonObject } from './json.ts';
import type { InteractionView, OpenCommon } from './schema/interaction.ts';
import type { SessionView } from './schema/session.ts';
import type { SessionEvent } from './schema/event.ts';
import type { InboxChangedFrame, LookFrame } from './schema/frame.ts';
import type { DecisionEntry, InboxEntry, SessionEntry } from './schema/workspace.ts';

export type { ErrorCode } from './errors.ts';
export type { AttachedFile } from './schema/attached-file.ts';
export type { Audience } from './schema/audience.ts';
export type { Correlate, Correlated } from './schema/correlate.ts';
export type {
  AppendedEventInput as AppendedEvent,
  EventOf,
  EventType,
  SessionEvent,
} from './schema/event.ts';
export type { CliSession, CliSessionView } from './schema/cli-session.ts';
export type {
  HistoryEntry,
  HistoryExtent,
  HistoryImport,
  HistoryPage,
} from './schema/history.ts';
export type { FoundEvent, SearchPage } from './schema/search.ts';
export type { AgentState, Presence } from './schema/frame.ts';
export type { Usage } from './schema/usage.ts';
export type { SessionFile, SessionFileEntry as FileEntry } from './schema/session.ts';
export type {
  InteractionView as Interaction,
  Outcome,
  Quorum,
  StoredQuorum,
  Vote,
} from './schema/interaction.ts';
export type {
  InboxEntry,
  ListedAuditEntry,
  ListedKey,
  ListedRule,
  RuleTrial,
  SessionEntry,
} from './schema/workspace.ts';
export type { Retention, RetentionPreview } from './schema/retention.ts';
export type { WorkspaceEntry } from './schema/workspace-list.ts';
export type { AnswerTimesOf as AnswerTimes, Status } from './schema/status.ts';
export type { JsonObject };
export type { CreateRule, Rule, RuleChoice } from './schema/rule.ts';
export type {
  PermissionMode,
  SessionChanges,
  SessionInput,
  SessionView,
} from './schema/session.ts';

/** The common part of a request, with the fields of its kind. */
export type InteractionRequest = OpenCommon & { readonly [part: string]: unknown };

export interface Snapshot {
  readonly session: SessionView;
  readonly head: number;
  readonly open: readonly InteractionView[];
  /** The server's clock, for countdowns that do not depend on the local clock. */
  readonly now: number;
}

export type { DecisionEntry };

/** What a person looks at: a session, or one of its requests. */
export type Looking = Pick<LookFrame, 'interactionId'>;

export interface PageOptions {
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly cursor?: string;
}
/** Without these fields, every session, newest first. */
export interface SessionsOptions extends PageOptions {
  readonly order?: 'created' | 'activity';
  /** Only archived sessions, or only the others. */
  readonly archived?: boolean;
  /** Only those that the caller pinned. */
  readonly pinned?: true;
  /** Words in the title, the id, the agent or the labels. */
  readonly q?: string;
}
export interface SessionsPage {
  readonly sessions: readonly SessionEntry[];
  readonly next?: string;
}
export interface InboxPage {
  readonly interactions: readonly InboxEntry[];
  readonly next?: string;
  readonly total: number;
  readonly now: number;
}
export interface DecisionsQuery {
  /** Everyone's also has what rules and modes decided. */
  readonly of?: 'me' | 'everyone';
}
export interface EventsPage {
  readonly events: readonly SessionEvent[];
  readonly head: number;
  readonly more: boolean;
}

export interface DecisionsPage {
  readonly decisions: readonly DecisionEntry[];
  readonly next?: string;
}
/** The changes of one session: new or changed interactions, and the ids of those that are no longer open. */
export type InboxChange = Omit<InboxChangedFrame, 'type'>;

/** False for null and for a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
