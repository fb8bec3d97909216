/**
 * Looks through the audit list, newest first, without an index: an index row for each entry would cost more than every
 * search together.
 *
 * One scan reads at most so many entries and then gives the number to go on from, so that no request waits for the whole
 * list: a page may have fewer entries than asked for, or none, and still a next one.
 */
import type { AuditTable, AuditWindow, LinkedAuditRow } from './store.ts';

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

/** `read` gives undefined for a row that is not looked for. */
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
