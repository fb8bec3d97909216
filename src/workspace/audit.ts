/**
 * The audit list: who decided what, when, from where, over which input. Entries are only added, each chained to the one
 * before it (`chainAuditEntries`).
 *
 * A search reads at most so many entries and then gives its cursor back, so that no request waits for the whole list:
 * a page may have fewer entries than asked for, or none, and still a `next`.
 */
import * as z from '../protocol/schema/zod.ts';
import { toAuditActor } from '../core/audit-entry.ts';
import { readCursor, writeCursor, pageSize } from '../protocol/schema/cursor.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { ReadResult } from '../protocol/errors.ts';
import {
  AuditEntry,
  type AuditFilter,
  type ListedAuditEntry,
} from '../protocol/schema/workspace.ts';
import { sha256Hex } from '../core/digest.ts';
import { auditGenesis, hashAuditEntry, readAuditMembers } from '../protocol/audit-chain.ts';
import { parseStored } from './parse-stored.ts';
import type { PageQuery } from './ports.ts';
import type {
  AuditEnd,
  AuditRow,
  AuditTable,
  LinkedAuditRow,
  WorkspaceStore,
  AuditWindow,
} from './store.ts';

export interface AuditListPage {
  readonly entries: readonly ListedAuditEntry[];
  readonly next?: string;
  /** The end of the whole list; null while nothing is chained. */
  readonly head: { readonly number: number; readonly hash: string } | null;
}

export type AuditQuery = PageQuery & AuditFilter;

/** Adds the entry of a change in the workspace itself; call it in the transaction of the change. */
export function addOwnAudit(
  store: WorkspaceStore,
  by: Settler,
  entry: Omit<AuditEntry, 'seq' | 'subject' | 'via' | 'by'>,
): void {
  chainAuditEntries(store, WORKSPACE_SOURCE, [{ ...entry, ...toAuditActor(by) }], entry.at);
}

const AuditCursor = z.tuple([z.literal('audit'), z.int()]);

/** How far the clock of a session may be ahead of the clock of its workspace. */
const CLOCK_DIFFERENCE_MS = 3_600_000;

type Warn = (message: string, evidence: unknown) => void;

/** Newest first, in the order in which the entries arrived. */
export function listAudit(
  store: WorkspaceStore,
  { limit, before, ...filter }: AuditQuery,
  warn: Warn,
): ReadResult<AuditListPage> {
  const cursor = readCursor(AuditCursor, before);
  if (!cursor.ok) return cursor;
  const { audit } = store;
  const scan = {
    before: cursor.value?.[1],
    bottom: firstNumberOf(audit, filter.from),
    size: pageSize(limit),
    from: filter.from,
    to: filter.to,
    parts: exactParts(filter),
  };
  const { entries, next } = scanAudit(audit, scan, (row) => {
    const entry = listedEntry(row, warn);
    return entry !== undefined && matchesAuditFilter(entry, filter) ? entry : undefined;
  });
  const further = next === undefined ? {} : { next: writeCursor(['audit', next]) };
  return { ok: true, value: { entries, ...further, head: auditHead(audit) } };
}

function lastNumberOf(audit: AuditTable): number {
  return audit.head()?.number ?? 0;
}

/** The first entry that may have happened at `from` or later. */
function firstNumberOf(audit: AuditTable, from: number | undefined): number {
  return from === undefined ? 1 : audit.firstRecordedFrom(from - CLOCK_DIFFERENCE_MS);
}

function listedEntry(row: LinkedAuditRow, warn: Warn): ListedAuditEntry | undefined {
  const read = ReadableAuditEntry.safeParse(parseStored(row.entry)).data;
  // A gap with a warning is better than a guess at who decided.
  if (read === undefined) warn('An audit entry cannot be read and is left out of the page', row);
  return read && { ...read, number: row.number, hash: row.hash ?? '' };
}

/** A later version may have written more fields; the known ones are still true. */
const ReadableAuditEntry = AuditEntry.strip();

export interface AuditExportPage {
  readonly rows: readonly LinkedAuditRow[];
  /** The number to go on after; absent at the end. */
  readonly next?: number;
}

/** A few hundred entries are some 150 KB: one message between two objects. */
const EXPORTED_AT_ONCE = 500;

/**
 * Entries in the order of the chain, after a number and up to another. With a filter a page may be empty and still not
 * the last.
 */
export function exportAudit(
  store: WorkspaceStore,
  { after, upTo, filter }: ExportQuery,
  now: number,
): AuditExportPage {
  // An export is for keeping, so it begins with what has no hash yet.
  const head = store.audit.head();
  if (head?.hash === null) store.write(() => chainEarlierEntries(store, head, now));
  const last = Math.min(upTo, lastNumberOf(store.audit));
  const rows = store.audit
    .readFrom(after, EXPORTED_AT_ONCE)
    .filter(({ number }) => number <= last)
    .map((row) => (row.number === 1 ? { ...row, previous: genesisOf(store) } : row));
  const reached = rows.at(-1)?.number ?? last;
  const isFiltered = Object.keys(filter).length > 0;
  return {
    rows: isFiltered ? rows.filter((row) => matchesRow(row, filter)) : rows,
    ...(reached < last && { next: reached }),
  };
}

export interface ExportQuery {
  readonly after: number;
  /** Entries that arrive during an export are left to the next one. */
  readonly upTo: number;
  readonly filter: AuditFilter;
}

function matchesRow(row: AuditRow, filter: AuditFilter): boolean {
  const entry = ReadableAuditEntry.safeParse(parseStored(row.entry)).data;
  return entry !== undefined && matchesAuditFilter(entry, filter);
}

/** The rows of earlier versions that are in memory at once. */
const CHAINED_AT_ONCE = 1_000;

/** No session has the empty id. */
const WORKSPACE_SOURCE = '';

type ChainStore = Pick<WorkspaceStore, 'audit' | 'name'>;
type NewEntry = Omit<AuditEntry, 'seq'> & { readonly seq?: number };

/** The numbers of the last entry before a change and after it. */
interface ChainedNumbers {
  readonly before: number;
  readonly after: number;
}

/**
 * Adds entries to the end of the audit chain, inside the transaction of the change that they record: a change without
 * its entry, or an entry that two transactions give the same number, cannot be.
 *
 * Entries from before there was a chain have no hash. They are chained by the first entry that is added after them, in
 * the order that they were shown in, and an entry says how many they were: their hashes prove only what stood there
 * then.
 *
 * Call it in a transaction.
 */
export function chainAuditEntries(
  store: ChainStore,
  source: string,
  entries: readonly NewEntry[],
  recordedAt: number,
): ChainedNumbers {
  const head = store.audit.head();
  let end = chainEarlierEntries(store, head, recordedAt);
  for (const entry of entries) end = append(store, end, { source, entry }, recordedAt);
  return { before: head?.number ?? 0, after: end?.number ?? 0 };
}

function append(
  store: ChainStore,
  head: AuditEnd | undefined,
  { source, entry }: { readonly source: string; readonly entry: NewEntry },
  now: number,
): AuditEnd {
  const number = (head?.number ?? 0) + 1;
  const seq = entry.seq ?? number;
  const text = JSON.stringify({ ...entry, seq });
  const link = { number, previous: head?.hash ?? genesisOf(store) };
  // A clock that goes back must not hide an entry from a search by time.
  const recordedAt = Math.max(now, head?.recordedAt ?? 0);
  const hash = hashAuditEntry(readAuditMembers(text), link, sha256Hex);
  store.audit.append({ number, at: entry.at, recordedAt, source, seq, entry: text, hash });
  return { number, recordedAt, hash };
}

/** Writes nothing when every entry has its hash. Returns the end of the list. */
function chainEarlierEntries(
  store: ChainStore,
  head: AuditEnd | undefined,
  now: number,
): AuditEnd | undefined {
  if (head === undefined || head.hash !== null) return head;
  const count = chainRows(store);
  const by = { subject: 'system', via: 'system' } as const;
  const entry = { at: now, what: 'audit', ...by, change: 'chained', count } as const;
  return append(store, store.audit.head(), { source: WORKSPACE_SOURCE, entry }, now);
}

function chainRows(store: ChainStore): number {
  const { audit } = store;
  let previous = genesisOf(store);
  let count = 0;
  for (let after = 0; ; ) {
    const rows = audit.readFrom(after, CHAINED_AT_ONCE);
    for (const { number, entry, hash } of rows) {
      after = number;
      const made = hash ?? hashAuditEntry(readAuditMembers(entry), { number, previous }, sha256Hex);
      if (hash === null) {
        audit.setHash(number, made);
        count += 1;
      }
      previous = made;
    }
    if (rows.length < CHAINED_AT_ONCE) return count;
  }
}

/** What the first entry of this workspace follows. */
function genesisOf(store: Pick<WorkspaceStore, 'name'>): string {
  return auditGenesis(store.name() ?? '', sha256Hex);
}

/** The end of the list, to be kept elsewhere; null until an entry is chained. */
function auditHead(audit: AuditTable): { number: number; hash: string } | null {
  const head = audit.head();
  return head === undefined || head.hash === null ? null : { number: head.number, hash: head.hash };
}

/** Which entries of the audit list a search finds. Every given part of a filter must fit. */
function matchesAuditFilter(entry: AuditEntry, filter: AuditFilter): boolean {
  const { who, what, session, outcome, from, to, text } = filter;
  return (
    (who === undefined || entry.subject === who) &&
    (what === undefined || entry.what === what) &&
    (session === undefined || entry.sessionId === session) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at < to) &&
    (text === undefined || hasText(entry, text))
  );
}

/** In any field that is text, in any case: a name, a tool, a reason, an id or the beginning of a digest. */
function hasText(entry: AuditEntry, text: string): boolean {
  const wanted = text.toLowerCase();
  const { by, scopes, ...fields } = entry;
  return [...Object.values(fields), ...Object.values(by ?? {}), ...(scopes ?? [])].some(
    (value) => typeof value === 'string' && value.toLowerCase().includes(wanted),
  );
}

/** Texts that the stored JSON of every entry that matches must hold; storage leaves out the others unread. */
function exactParts({ who, what, session, outcome }: AuditFilter): string[] {
  return [who, what, session, outcome]
    .filter((value) => value !== undefined)
    .map((value) => JSON.stringify(value));
}

/** Numbers that one request looks through: some 30 ms. */
const MAX_SCANNED = 20_000;
const SCANNED_AT_ONCE = 2_000;

export interface AuditScan extends Pick<AuditWindow, 'from' | 'to' | 'parts'> {
  /** Exclusive; the whole list if left out. */
  readonly before: number | undefined;
  /** The first number of interest. */
  readonly bottom: number;
  readonly size: number;
}

export interface ScannedEntries<Entry> {
  readonly entries: readonly Entry[];
  /** Where the next scan goes on; absent at the end. */
  readonly next?: number;
}

/**
 * Looks through the audit list, newest first, without an index: an index row for each entry would cost more than every
 * search together.
 *
 * One scan reads at most so many entries and then gives the number to go on from, so that no request waits for the
 * whole list: a page may have fewer entries than asked for, or none, and still a next one.
 *
 * `read` gives undefined for a row that is not looked for.
 */
export function scanAudit<Entry>(
  audit: AuditTable,
  { before, bottom, size, ...window }: AuditScan,
  read: (row: LinkedAuditRow) => Entry | undefined,
): ScannedEntries<Entry> {
  const entries: Entry[] = [];
  let top = Math.min(before ?? Number.MAX_SAFE_INTEGER, (audit.head()?.number ?? 0) + 1);
  const end = Math.max(bottom, top - MAX_SCANNED);
  while (top > end && entries.length < size) {
    const downTo = Math.max(end, top - SCANNED_AT_ONCE);
    const more = size - entries.length;
    const rows = audit.list({ ...window, before: top, downTo }, more);
    entries.push(...rows.flatMap((row) => read(row) ?? []));
    // A full window may go on below its last row.
    top = rows.length < more ? downTo : (rows.at(-1)?.number ?? downTo);
  }
  return { entries, ...(top > bottom && { next: top }) };
}
