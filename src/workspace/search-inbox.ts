/**
 * Pages of what matches a filter, in the order of the inbox.
 *
 * The rows are looked through in their order: an index for each field would be written for every request that opens, and a
 * search is rare. A page that has looked through enough rows ends there, with a cursor, however little it has found.
 */
import { isInAudience } from '../core/audience.ts';
import type { ReadResult } from '../protocol/errors.ts';
import { matchesFilter } from '../protocol/inbox-filter.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { StoredAudience } from '../protocol/schema/audience.ts';
import { pageSize, writeCursor } from '../protocol/schema/cursor.ts';
import type { InboxPage } from '../protocol/types.ts';
import { byDeadline, inboxEntry, inboxPosition, readInboxCursor } from './inbox.ts';
import type { InboxSearch, PageQuery } from './ports.ts';
import type { InboxKey, OpenInteractionRow, WorkspaceStore } from './store.ts';

const ROWS_AT_ONCE = 250;

export interface GroupedSearch extends InboxSearch {
  /** Of the reader. */
  readonly groups: readonly string[];
}

export function searchInbox(
  store: WorkspaceStore,
  page: PageQuery,
  at: { total: number; now: number },
  { filter, reader, groups }: GroupedSearch,
): ReadResult<InboxPage> {
  const after = readInboxCursor(page.after);
  if (!after.ok) return after;
  const party = { subject: reader.subject, groups, targets: [] };
  const isAsked = (audience: StoredAudience) => reader.isAdmin || isInAudience(audience, party);
  const { rows, end } = findRows(store, pageSize(page.limit), after.value, (row) =>
    matchesFilter(inboxEntry(row), filter, { isAsked }),
  );
  const interactions = rows.toSorted(byDeadline).map(inboxEntry);
  const next = end === undefined ? {} : { next: writeCursor(inboxPosition(end)) };
  return { ok: true, value: { interactions, ...next, ...at } };
}

/** `end` is the last row that was looked at, unless it is the last one of the inbox. */
function findRows(
  store: WorkspaceStore,
  size: number,
  after: InboxKey | undefined,
  isWanted: (row: OpenInteractionRow) => boolean,
): { rows: readonly OpenInteractionRow[]; end?: InboxKey } {
  const rows: OpenInteractionRow[] = [];
  let end = after;
  for (let looked = 0; looked < LIMITS.inboxSearchRows; looked += ROWS_AT_ONCE) {
    const part = store.inbox.list(ROWS_AT_ONCE, end);
    for (const row of part) {
      end = row;
      if (isWanted(row)) rows.push(row);
      if (rows.length === size) return { rows, end };
    }
    if (part.length < ROWS_AT_ONCE) return { rows };
  }
  return end === undefined ? { rows } : { rows, end };
}
