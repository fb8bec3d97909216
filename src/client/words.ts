/** The words of the protocol, as a client speaks them; only types, so that no schema is bundled. */
import type { InteractionView, OpenCommon } from '../protocol/schema/interaction.ts';
import type { SessionView } from '../protocol/schema/session.ts';
import type { InboxChangedFrame } from '../protocol/schema/inbox-frame.ts';
import type { InboxEntry, SessionEntry } from '../protocol/schema/workspace.ts';

export type { ErrorCode } from '../protocol/errors.ts';
export type {
  AppendedEventInput as AppendedEvent,
  EventOf,
  EventType,
  SessionEvent,
} from '../protocol/schema/event.ts';
export type { SessionFile, SessionFileEntry as FileEntry } from '../protocol/schema/file.ts';
export type { InteractionView as Interaction, Outcome } from '../protocol/schema/interaction.ts';
export type { InboxEntry } from '../protocol/schema/workspace.ts';
export type { JsonObject } from '../protocol/json.ts';
export type {
  PermissionMode,
  Rule,
  SessionChanges,
  SessionInput,
  SessionView,
} from '../protocol/schema/session.ts';

/** What is asked: the common part, and beside it what the kind takes. */
export type InteractionRequest = OpenCommon & { readonly [part: string]: unknown };

export interface Snapshot {
  readonly session: SessionView;
  readonly head: number;
  readonly open: readonly InteractionView[];
  /** The server's clock, for countdowns that do not trust the one at hand. */
  readonly now: number;
}

export interface PageAsk {
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly cursor?: string;
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
/** What changed in one session: what is new or different, and the ids of what is no longer open. */
export type InboxChange = Omit<InboxChangedFrame, 'type'>;
