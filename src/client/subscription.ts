/**
 * Subscriptions to a session and to the inbox.
 *
 * A session sends its present state, then the log after the cursor, then new events: in order of `seq`, each once, however
 * often the connection is lost.
 */
import type { ClientError } from './errors.ts';
import type { SessionEvent, Snapshot, InboxChange, InboxPage } from '../protocol/types.ts';

/** Streamed text of an answer. It is not in the log, and may be lost with the connection. */
export interface Delta {
  readonly turnId?: string | undefined;
  readonly responseId?: string | undefined;
  readonly text: string;
}

/** The reason that no event arrives at the moment. */
export type PauseReason = 'hidden' | 'offline' | 'unauthenticated';

export type ConnectionStatus =
  | { readonly type: 'connecting' }
  /** Connected; events of the past are still arriving. */
  | { readonly type: 'replaying' }
  | { readonly type: 'live' }
  | { readonly type: 'waiting'; readonly retryAt: number; readonly attempt: number }
  | { readonly type: 'paused'; readonly reason: PauseReason }
  /** Final; without an error after `close()`. */
  | { readonly type: 'closed'; readonly error?: ClientError };

export interface Subscriber {
  /** The session as it is now: at every connect, before any event. */
  readonly welcome?: (snapshot: Snapshot) => void;
  readonly events?: (events: readonly SessionEvent[]) => void;
  readonly delta?: (delta: Delta) => void;
  readonly status?: (status: ConnectionStatus) => void;
}

export interface Subscription {
  /** The `seq` of the last event that was delivered. */
  readonly cursor: number;
  readonly status: ConnectionStatus;
  /** Connects now, for example after a sign-in or a click. */
  reconnect(): void;
  close(): void;
}

/**
 * The inbox: its first page at every connect, then changes.
 *
 * A page from `Transport.inbox` may be older than a change that arrived before it: apply no page over a newer change. An
 * interaction that was removed never comes back.
 */
export interface InboxSubscriber {
  /** The inbox as it is now; it replaces everything from before a reconnect. */
  readonly inbox?: (page: InboxPage) => void;
  readonly changed?: (change: InboxChange) => void;
  readonly status?: (status: ConnectionStatus) => void;
}

export interface InboxSubscription {
  readonly status: ConnectionStatus;
  /** Connects now, for example after a sign-in or a click. */
  reconnect(): void;
  close(): void;
}
