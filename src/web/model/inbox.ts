/**
 * The inbox of a page: a fold of its first page, the changes after it, and further pages.
 *
 * Items never move while the person points at them: an answered or cancelled item keeps its position, marked, until
 * the person clears it. A removed item never returns, so a page that was read before the removal cannot bring it
 * back, and a page never overrides a change.
 */
import type { ConnectionStatus } from '../../client/transport.ts';
import type { InboxChange, InboxEntry, InboxPage } from '../../protocol/types.ts';

export interface InboxItem {
  readonly key: string;
  readonly entry: InboxEntry;
  /** False: the item was answered or cancelled, here or elsewhere. */
  readonly isOpen: boolean;
}

export interface InboxState {
  /** Oldest deadline first. */
  readonly items: readonly InboxItem[];
  /** All open requests of the workspace, listed or not. */
  readonly total: number;
  /** The server's time of `total`; null before the first page. */
  readonly asOf: number | null;
  /** The cursor of the next page. */
  readonly next: string | undefined;
  readonly connection: ConnectionStatus;
  /** The start of this connection; earlier pages are void. */
  readonly since: number;
  /** Items that were removed before they were listed. */
  readonly gone: ReadonlySet<string>;
}

export const EMPTY_INBOX: InboxState = {
  items: [],
  total: 0,
  asOf: null,
  next: undefined,
  connection: { type: 'connecting' },
  since: 0,
  gone: new Set(),
};

export function inboxKeyOf({
  sessionId,
  interactionId,
}: {
  sessionId: string;
  interactionId: string;
}) {
  return `${sessionId} ${interactionId}`;
}

/** The first page, at every connect, is the truth from then on; items that it lacks have ended. */
export function applyFirstPage(state: InboxState, page: InboxPage): InboxState {
  const last =
    page.next === undefined ? undefined : page.interactions.toSorted(compareAsListed).at(-1);
  const listed = new Set(page.interactions.map(inboxKeyOf));
  // Items beyond the end of this page are unknown now; a further page brings them back.
  const kept = state.items.filter(
    ({ key, entry }) =>
      !listed.has(key) && (last === undefined || compareAsListed(entry, last) < 0),
  );
  return {
    ...state,
    ...totalsOf(page),
    items: sortItems([...kept.map(endItem), ...page.interactions.map(itemOf)]),
    next: page.next,
    since: page.now,
    gone: new Set(),
  };
}

export function applyChange(state: InboxState, change: InboxChange): InboxState {
  const { sessionId, sessionTitle, upserts, removed } = change;
  const gone = new Set(removed.map((interactionId) => inboxKeyOf({ sessionId, interactionId })));
  const fresh = new Map(upserts.map((entry) => [inboxKeyOf(entry), entry]));
  const items = state.items.map((item) => {
    if (item.entry.sessionId !== sessionId) return item;
    const entry = { ...(fresh.get(item.key) ?? item.entry), sessionTitle };
    fresh.delete(item.key);
    return { ...item, entry, isOpen: item.isOpen && !gone.has(item.key) };
  });
  const added = [...fresh.values()].map(itemOf);
  return {
    ...state,
    ...totalsOf(change),
    items: sortItems([...items, ...added]),
    gone: new Set([...state.gone, ...gone]),
  };
}

/** Adds a further page; `from` is the cursor of its request. */
export function appendPage(state: InboxState, page: InboxPage, from: string): InboxState {
  if (state.next !== from) return state;
  return { ...addFound(state, page), ...(page.now >= state.since && { next: page.next }) };
}

/** Adds entries from anywhere in the inbox, beyond the loaded pages too. */
export function addFound(state: InboxState, page: InboxPage): InboxState {
  if (page.now < state.since) return state;
  const known = new Set([...state.gone, ...state.items.map(({ key }) => key)]);
  const added = page.interactions.filter((entry) => !known.has(inboxKeyOf(entry))).map(itemOf);
  return added.length === 0 ? state : { ...state, items: sortItems([...state.items, ...added]) };
}

export function applyConnection(state: InboxState, connection: ConnectionStatus): InboxState {
  return { ...state, connection };
}

/** Marks an item that this page answered, before the server reports it. */
export function markAnswered(state: InboxState, key: string): InboxState {
  const items = state.items.map((item) => (item.key === key ? endItem(item) : item));
  return { ...state, items };
}

export function removeFinished(state: InboxState): InboxState {
  return { ...state, items: state.items.filter(({ isOpen }) => isOpen) };
}

export function countFinished({ items }: InboxState): number {
  return items.filter(({ isOpen }) => !isOpen).length;
}

/** The number of open items on pages that were not read. */
export function countUnread(state: InboxState): number {
  const open = state.items.filter(({ isOpen }) => isOpen).length;
  return state.next === undefined ? 0 : Math.max(0, state.total - open);
}

function totalsOf({ total, now }: Pick<InboxPage, 'total' | 'now'>) {
  return { total, asOf: now };
}

function itemOf(entry: InboxEntry): InboxItem {
  return { key: inboxKeyOf(entry), entry, isOpen: true };
}

function endItem(item: InboxItem): InboxItem {
  return { ...item, isOpen: false };
}

function sortItems(items: readonly InboxItem[]): InboxItem[] {
  return items.toSorted((one, other) => compareByDeadline(one.entry, other.entry));
}

/** The order of the server's pages: items beyond the share of their root come last. */
function compareAsListed(one: InboxEntry, other: InboxEntry): number {
  return (
    Number(one.beyondShare ?? false) - Number(other.beyondShare ?? false) ||
    compareByDeadline(one, other)
  );
}

/** The order within a page: by deadline; items without one come last, oldest first. */
function compareByDeadline(one: InboxEntry, other: InboxEntry): number {
  const at = (one.expiresAt ?? Infinity) - (other.expiresAt ?? Infinity);
  if (at !== 0 && !Number.isNaN(at)) return at;
  const age = one.openedAt - other.openedAt;
  if (one.expiresAt === null && age !== 0) return age;
  return inboxKeyOf(one) < inboxKeyOf(other) ? -1 : 1;
}
