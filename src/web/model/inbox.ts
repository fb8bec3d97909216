/**
 * The inbox as a page shows it: a fold of its first page, the changes after it, and pages read beside it.
 *
 * Nothing moves under a finger: what was answered or went elsewhere stays where it stood, marked, until
 * somebody tidies up. What was removed never comes back, so a page that was read before its removal
 * cannot bring it back, and a page knows nothing newer than a change.
 */
import type { ConnectionStatus } from '../../client/subscription.ts';
import type { InboxChange, InboxEntry, InboxPage } from '../../protocol/types.ts';

export interface InboxItem {
  readonly key: string;
  readonly entry: InboxEntry;
  /** False: it was answered or cancelled, here or elsewhere. */
  readonly isOpen: boolean;
}

export interface InboxState {
  /** Oldest deadline first. */
  readonly items: readonly InboxItem[];
  /** Everything that is open in the workspace, shown or not. */
  readonly total: number;
  /** When that was true, by the server's clock; null before anything was heard. */
  readonly asOf: number | null;
  /** The cursor of the part that was not read. */
  readonly next: string | undefined;
  readonly connection: ConnectionStatus;
  /** When this connection began; what was read before it is void. */
  readonly since: number;
  /** Removed before they were ever listed here. */
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

/** The first page, at every connect: the truth from there on; what is not on it any more has ended. */
export function applyFirstPage(state: InboxState, page: InboxPage): InboxState {
  const last =
    page.next === undefined ? undefined : page.interactions.toSorted(compareAsListed).at(-1);
  const listed = new Set(page.interactions.map(inboxKeyOf));
  // Of what stands behind the end of this page nothing is known now; it can be read again.
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

/** A further page; `from` is the cursor that it was asked with. */
export function appendPage(state: InboxState, page: InboxPage, from: string): InboxState {
  if (state.next !== from || page.now < state.since) return state;
  const known = new Set([...state.gone, ...state.items.map(({ key }) => key)]);
  const added = page.interactions.filter((entry) => !known.has(inboxKeyOf(entry))).map(itemOf);
  return { ...state, items: sortItems([...state.items, ...added]), next: page.next };
}

export function applyConnection(state: InboxState, connection: ConnectionStatus): InboxState {
  return { ...state, connection };
}

/** This page has answered it, and need not hear so. */
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

/** How many are open and stand on a part that was not read. */
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

/** How the server goes through its pages: what is beyond the share of who asked comes last. */
function compareAsListed(one: InboxEntry, other: InboxEntry): number {
  return (
    Number(one.beyondShare ?? false) - Number(other.beyondShare ?? false) ||
    compareByDeadline(one, other)
  );
}

/** As a page of the server has them: by deadline, and those without one last, in the order in which they were asked. */
function compareByDeadline(one: InboxEntry, other: InboxEntry): number {
  const at = (one.expiresAt ?? Infinity) - (other.expiresAt ?? Infinity);
  if (at !== 0 && !Number.isNaN(at)) return at;
  const age = one.openedAt - other.openedAt;
  if (one.expiresAt === null && age !== 0) return age;
  return inboxKeyOf(one) < inboxKeyOf(other) ? -1 : 1;
}
