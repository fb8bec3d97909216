/** Every type of the wire by its name, as a client sends and receives it; only types, so that no schema is bundled. */
import type { InteractionView, OpenCommon } from './schema/interaction.ts';
import type { SessionView } from './schema/session.ts';
import type { InboxChangedFrame } from './schema/inbox-frame.ts';
import type { InboxEntry, SessionEntry } from './schema/workspace.ts';

export type { ErrorCode } from './errors.ts';
export type {
  AppendedEventInput as AppendedEvent,
  EventOf,
  EventType,
  SessionEvent,
} from './schema/event.ts';
export type { SessionFile, SessionFileEntry as FileEntry } from './schema/file.ts';
export type { InteractionView as Interaction, Outcome } from './schema/interaction.ts';
export type { InboxEntry } from './schema/workspace.ts';
export type { JsonObject } from './json.ts';
export type {
  PermissionMode,
  Rule,
  SessionChanges,
  SessionInput,
  SessionView,
} from './schema/session.ts';

/** What is asked: the common part, and beside it what the kind takes. */
export type InteractionRequest = OpenCommon & { readonly [part: string]: unknown };

export interface Snapshot {
  readonly session: SessionView;
  readonly head: number;
  readonly open: readonly InteractionView[];
  /** The server's clock, for countdowns that do not trust the one at hand. */
  readonly now: number;
}

export interface PageOptions {
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
