/**
 * Following a session: the present first, then the log from where one left off, then what is new.
 *
 * Events come in order of `seq`, each once, however often the connection is lost in between.
 */
import type { ClientError } from './errors.ts';
import type { SessionEvent, Snapshot, InboxChange, InboxPage } from '../protocol/types.ts';

/** Text of an answer in the making; it is not in the log and may be lost with the connection. */
export interface Delta {
  readonly turnId?: string | undefined;
  readonly responseId?: string | undefined;
  readonly text: string;
}

/** Why nothing new arrives at the moment. */
export type PauseReason = 'hidden' | 'offline' | 'unauthenticated';

export type ConnectionStatus =
  | { readonly type: 'connecting' }
  /** Connected, and events of the past are still arriving. */
  | { readonly type: 'replaying' }
  | { readonly type: 'live' }
  | { readonly type: 'waiting'; readonly retryAt: number; readonly attempt: number }
  | { readonly type: 'paused'; readonly reason: PauseReason }
  /** For good: without an error because whoever subscribed wanted it. */
  | { readonly type: 'closed'; readonly error?: ClientError };

export interface Subscriber {
  /** The session as it is now, at every connect, before any event. */
  readonly welcome?: (snapshot: Snapshot) => void;
  readonly events?: (events: readonly SessionEvent[]) => void;
  readonly delta?: (delta: Delta) => void;
  readonly status?: (status: ConnectionStatus) => void;
}

export interface Subscription {
  /** The `seq` of the last event that was delivered. */
  readonly cursor: number;
  readonly status: ConnectionStatus;
  /** Tries again now: after somebody signed in, or pressed a button. */
  reconnect(): void;
  close(): void;
}

/**
 * Following the inbox: its first page at every connect, then what changes in it.
 *
 * A page that is read beside it (`Transport.inbox`) may be older than a change that was heard before
 * it came. An interaction that was removed never comes back, and a page knows nothing newer than a
 * change.
 */
export interface InboxSubscriber {
  /** The inbox as it is now; what was known before a reconnect is void. */
  readonly inbox?: (page: InboxPage) => void;
  readonly changed?: (change: InboxChange) => void;
  readonly status?: (status: ConnectionStatus) => void;
}

export interface InboxSubscription {
  readonly status: ConnectionStatus;
  /** Tries again now: after somebody signed in, or pressed a button. */
  reconnect(): void;
  close(): void;
}
