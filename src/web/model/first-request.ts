/**
 * Finds the first request of an agent that was just connected, in what the inbox shows.
 *
 * With a key that was made for the agent it is the first request of this key. A person who may make no key sees the first
 * request that opens from now on, unless their own credential opened it.
 */
import type { InboxEntry } from '../../protocol/types.ts';

export interface SeenRequests {
  /** The requests that were open when the screen was opened; undefined until the inbox arrives. */
  readonly before: ReadonlySet<string> | undefined;
  /** The first later request of each credential. */
  readonly first: readonly InboxEntry[];
}

export interface AwaitedOpener {
  /** The id of the key that was made. */
  readonly key: string | undefined;
  /** The person's own credential. */
  readonly own: string;
}

export const NO_REQUESTS: SeenRequests = { before: undefined, first: [] };

/** A page of the inbox, at first and after each lost connection. */
export function withInbox(seen: SeenRequests, entries: readonly InboxEntry[]): SeenRequests {
  return seen.before === undefined
    ? { before: new Set(entries.map(requestKey)), first: [] }
    : withOpened(seen, entries);
}

export function withOpened(seen: SeenRequests, entries: readonly InboxEntry[]): SeenRequests {
  const first = [...seen.first];
  for (const entry of entries) {
    const isKnown = first.some(({ openedBy }) => openedBy.credential === entry.openedBy.credential);
    if (!isKnown && !seen.before?.has(requestKey(entry))) first.push(entry);
  }
  return first.length === seen.first.length ? seen : { ...seen, first };
}

export function findFirstRequest(
  { first }: SeenRequests,
  { key, own }: AwaitedOpener,
): InboxEntry | undefined {
  return first.find(({ openedBy }) =>
    key === undefined
      ? openedBy.credential !== own
      : openedBy.credential === key || openedBy.key === key,
  );
}

function requestKey({ sessionId, interactionId }: InboxEntry): string {
  return `${sessionId}/${interactionId}`;
}
