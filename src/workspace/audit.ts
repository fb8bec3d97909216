/**
 * The audit list: who decided what, when, from where, over which input. Entries are only added, each chained to the one
 * before it (`audit-chain.ts`).
 *
 * A search reads at most so many entries and then gives its cursor back, so that no request waits for the whole list:
 * a page may have fewer entries than asked for, or none, and still a `next`.
 */
import * as z from 'zod';
import { toAuditActor } from '../core/audit-entry.ts';
import { readCursor, writeCursor, pageSize } from '../protocol/schema/cursor.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import type { ReadResult } from '../protocol/errors.ts';
import {
  AuditEntry,
  type AuditFilter,
  type ListedAuditEntry,
} from '../protocol/schema/workspace.ts';
import {
  auditHead,
  chainAuditEntry,
  chainEarlierEntries,
  genesisOf,
  WORKSPACE_SOURCE,
} from './audit-chain.ts';
import { exactParts, matchesAuditFilter } from './audit-filter.ts';
import { parseStored } from './parse-stored.ts';
import type { PageQuery } from './ports.ts';
import type { AuditRow, AuditTable, LinkedAuditRow, WorkspaceStore } from './store.ts';
import { scanAudit } from './scan-audit.ts';

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
  chainAuditEntry(store, WORKSPACE_SOURCE, { ...entry, ...toAuditActor(by) }, entry.at);
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
  if (store.audit.head()?.hash === null) store.write(() => chainEarlierEntries(store, now));
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
