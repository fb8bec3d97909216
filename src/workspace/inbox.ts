/**
 * The inbox: every open interaction of the workspace, earliest deadline first, then those without a deadline, oldest
 * first.
 *
 * Pages follow the stored key: first the interactions within the share of their root, then those beyond it
 * (`InboxShares`). Within a page the earliest deadline comes first, within the share or beyond.
 *
 * The inbox hides nothing. An entry that another version wrote is shown with its readable fields: without it a
 * person would read "all clear" while an agent waits. An interaction that gets more time moves back, so a reader who turns
 * pages may see it twice; no interaction is skipped.
 */
import * as z from '../protocol/schema/zod.ts';
import type { InboxPage, DecisionsPage } from '../protocol/types.ts';
import { Opener } from '../protocol/schema/actor.ts';
import { Labels, StoredAudience } from '../protocol/schema/audience.ts';
import { readCursor, cutPage, pageSize, writeCursor } from '../protocol/schema/cursor.ts';
import { parseInteractionId } from '../protocol/ids.ts';
import {
  Claim,
  JsonObjectSchema,
  KindName,
  Presentation,
  StoredQuorum,
  ToolName,
  Vote,
} from '../protocol/schema/interaction.ts';
import { type InboxEntry, DecisionEntry } from '../protocol/schema/workspace.ts';
import { parseStoredObject, parseStored } from './parse-stored.ts';
import type { PageQuery, InboxSearch, Decider } from './ports.ts';
import type { InboxKey, OpenInteractionRow, WorkspaceStore } from './store.ts';
import type { ReadResult } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import { isInAudience } from '../core/audience.ts';
import { matchesFilter } from '../protocol/inbox-filter.ts';
import { scanAudit } from './audit.ts';

/** The last instant of a JavaScript date, which sorts after every deadline. Later values order by opening time. */
export const NO_DEADLINE = 8_640_000_000_000_000;

const BEYOND_SHARE = 1;

export function dueAtOf({
  expiresAt,
  openedAt,
}: Pick<InboxEntry, 'expiresAt' | 'openedAt'>): number {
  return expiresAt ?? NO_DEADLINE + openedAt;
}

/** Without what is in its key, and the title of the session, which may change while the interaction does not. */
export function storedEntry({
  sessionId: _session,
  sessionTitle: _title,
  interactionId: _interaction,
  toolCallId: _call,
  expiresAt: _due,
  ...entry
}: InboxEntry): string {
  return JSON.stringify(entry);
}

const WITHIN_SHARE = [z.literal('inbox'), z.int(), z.string(), z.string()] as const;
/** Cursors from before there were shares have the shorter form too. */
const InboxCursor = z.union([
  z.tuple(WITHIN_SHARE),
  z.tuple([...WITHIN_SHARE, z.literal(BEYOND_SHARE)]),
]);

export function listInbox(
  store: WorkspaceStore,
  page: PageQuery,
  at: { total: number; now: number },
): ReadResult<InboxPage> {
  const after = readInboxCursor(page.after);
  if (!after.ok) return after;
  const size = pageSize(page.limit);
  const found = store.inbox.list(size + 1, after.value);
  const { rows, ...next } = cutPage(found, size, inboxPosition);
  const interactions = rows.toSorted(byDeadline).map(inboxEntry);
  return { ok: true, value: { interactions, ...next, ...at } };
}

function inboxPosition(last: InboxKey) {
  const { dueAt, sessionId, interactionId, beyondShare } = last;
  const beyond = beyondShare ? ([BEYOND_SHARE] as const) : [];
  return ['inbox', dueAt, sessionId, interactionId, ...beyond] as const;
}

function readInboxCursor(text: string | undefined): ReadResult<InboxKey | undefined> {
  const cursor = readCursor(InboxCursor, text);
  return cursor.ok ? { ok: true, value: cursorKey(cursor.value) } : cursor;
}

function cursorKey(cursor: z.output<typeof InboxCursor> | undefined): InboxKey | undefined {
  if (cursor === undefined) return undefined;
  const [, dueAt, sessionId, interactionId, beyond] = cursor;
  return { beyondShare: beyond === BEYOND_SHARE, dueAt, sessionId, interactionId };
}

/** The sort is stable, and rows that are due at the same time are in order already. */
function byDeadline(one: OpenInteractionRow, other: OpenInteractionRow): number {
  return one.dueAt - other.dueAt;
}

/** Each field is read by itself: an unreadable field does not hide the other fields. */
const ReadableEntry = z.object({
  toolName: ToolName.catch('unknown'),
  kind: KindName.catch('unknown'),
  presentation: Presentation.catch('tool'),
  request: JsonObjectSchema.nullable().catch(null),
  inputDigest: z.string().catch(''),
  openedAt: z.number().catch(0),
  openedBy: Opener.catch({ credential: '', subject: '' }),
  overdue: z.literal(true).optional().catch(undefined),
  audience: StoredAudience.optional().catch(undefined),
  sessionLabels: Labels.optional().catch(undefined),
  quorum: StoredQuorum.optional().catch(undefined),
  notRequester: z.literal(true).optional().catch(undefined),
  votes: z.array(Vote).optional().catch(undefined),
  claim: Claim.optional().catch(undefined),
});

function inboxEntry(row: OpenInteractionRow): InboxEntry {
  const { sessionId, sessionTitle, interactionId, dueAt } = row;
  const read = ReadableEntry.parse(parseStoredObject(row.entry));
  const { overdue, audience, sessionLabels, ...others } = read;
  const { quorum, notRequester, votes, claim, ...readable } = others;
  return {
    sessionId,
    sessionTitle,
    interactionId,
    toolCallId: parseInteractionId(interactionId)?.toolCallId ?? interactionId,
    ...readable,
    expiresAt: dueAt >= NO_DEADLINE ? null : dueAt,
    ...(overdue === true && { overdue }),
    ...(audience !== undefined && { audience }),
    ...(sessionLabels !== undefined && { sessionLabels }),
    ...(quorum !== undefined && { quorum }),
    ...(notRequester === true && { notRequester }),
    ...(votes !== undefined && { votes }),
    ...(claim !== undefined && { claim }),
    ...(row.beyondShare && { beyondShare: true }),
  };
}

/**
 * The share of each root in the front of the inbox.
 *
 * The inbox is ordered by deadline, so an agent with many short deadlines would push the interactions of other agents
 * off the first page. Each root has a share of the front; its further interactions sort after the shares of all roots.
 * An interaction gets its place when it opens and keeps it: a reader who turns pages would miss an entry that moves
 * forward.
 *
 * The counts are read from the rows for the first interaction after a wake, and kept in memory from then on.
 */
export class InboxShares {
  #counts: Map<string, number> | undefined;

  /** Claims a place; false when the share is used up, and the interaction belongs beyond it. */
  claim(store: WorkspaceStore, root: string): boolean {
    this.#counts ??= store.inbox.countWithinShares();
    const claimed = this.#counts.get(root) ?? 0;
    if (claimed >= LIMITS.inboxShare) return false;
    this.#counts.set(root, claimed + 1);
    return true;
  }

  release(root: string): void {
    const claimed = this.#counts?.get(root) ?? 0;
    if (claimed > 1) this.#counts?.set(root, claimed - 1);
    else this.#counts?.delete(root);
  }

  /** Call it when the transaction failed: the counts are no longer those of the rows. */
  reset(): void {
    this.#counts = undefined;
  }
}

const ROWS_AT_ONCE = 250;

export interface GroupedSearch extends InboxSearch {
  /** Of the reader. */
  readonly groups: readonly string[];
}

/**
 * Pages of what matches a filter, in the order of the inbox.
 *
 * The rows are looked through in their order: an index for each field would be written for every request that opens,
 * and a search is rare. A page that has looked through enough rows ends there, with a cursor, however little it has
 * found.
 */
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

const DecisionsCursor = z.tuple([z.literal('decisions'), z.int()]);

/** A later version may have written more fields; the known ones are still true. */
const StoredDecision = DecisionEntry.omit({ sessionTitle: true }).strip();

/**
 * What was decided, newest first: the decisions among the audit entries, with the titles that their sessions have now.
 */
export function listDecisions(
  store: WorkspaceStore,
  page: PageQuery,
  decider: Decider | undefined,
  warn: (message: string, evidence: unknown) => void,
): ReadResult<DecisionsPage> {
  const cursor = readCursor(DecisionsCursor, page.before);
  if (!cursor.ok) return cursor;
  const scan = {
    before: cursor.value?.[1],
    bottom: 1,
    size: pageSize(page.limit),
    parts:
      decider === undefined
        ? []
        : [decider.subject, decider.key].map((text) => JSON.stringify(text)),
  };
  const { entries, next } = scanAudit(store.audit, scan, (row) => {
    const stored = parseStored(row.entry);
    if (!isDecision(stored, decider)) return undefined;
    const read = StoredDecision.safeParse(stored).data;
    // A gap with a warning is better than a guess at who decided.
    if (read === undefined) warn('A decision cannot be read and is left out of the page', row);
    return read;
  });
  const titles = new Map<string, string | null>();
  const titleOf = (sessionId: string) => {
    const known = titles.get(sessionId) ?? store.sessions.find(sessionId)?.title ?? null;
    titles.set(sessionId, known);
    return known;
  };
  const decisions = entries.map((read) => ({ ...read, sessionTitle: titleOf(read.sessionId) }));
  const further = next === undefined ? {} : { next: writeCursor(['decisions', next]) };
  return { ok: true, value: { decisions, ...further } };
}

const DecidingEntry = z.object({
  what: z.enum(['interaction', 'gate']),
  subject: z.unknown().optional(),
  by: z.object({ key: z.unknown().optional() }).optional().catch(undefined),
});

function isDecision(stored: unknown, decider: Decider | undefined): boolean {
  const entry = DecidingEntry.safeParse(stored).data;
  if (entry === undefined || decider === undefined) return entry !== undefined;
  return entry.subject === decider.subject && entry.by?.key === decider.key;
}
