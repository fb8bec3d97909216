/**
 * Following the inbox: its first page at every connect, then what changes in it.
 *
 * A page that is read beside it (`Transport.inbox`) may be older than a change that was heard before
 * it came. An interaction that was removed never comes back, and a page knows nothing newer than a
 * change.
 */
import type { ConnectionStatus } from './subscription.ts';
import type { InboxChange, InboxPage } from '../protocol/types.ts';

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
