/**
 * The audit list: who decided what, when, from where, over which input. Entries are only added.
 *
 * The key of an entry makes it harmless to apply a stretch of a log twice: the entry of a session has the number of its
 * event, and the workspace numbers the entries of its own changes.
 */
import * as z from 'zod';
import { toAuditActor } from '../core/audit-entry.ts';
import { readCursor, cutPage, pageSize } from '../protocol/schema/cursor.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { AuditEntry } from '../protocol/schema/workspace.ts';
import { parseStored } from './parse-stored.ts';
import type { AuditRow, PageQuery, WorkspaceStore } from './ports.ts';
import type { ReadResult } from '../protocol/errors.ts';

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly next?: string;
}

/** No session has the empty id. */
const WORKSPACE_SOURCE = '';

export function auditRow(source: string, entry: AuditEntry): AuditRow {
  return { at: entry.at, source, seq: entry.seq, entry: JSON.stringify(entry) };
}

/** Adds the entry of a change in the workspace itself; call it in the transaction of the change. */
export function addOwnAudit(
  store: WorkspaceStore,
  by: Settler,
  entry: Omit<AuditEntry, 'seq' | 'subject' | 'via' | 'by'>,
): void {
  const seq = store.audit.freeSeq(entry.at, WORKSPACE_SOURCE);
  store.audit.add(auditRow(WORKSPACE_SOURCE, { ...entry, seq, ...toAuditActor(by) }));
}

const AuditCursor = z.tuple([z.literal('audit'), z.int(), z.string(), z.int()]);

export function listAudit(
  store: WorkspaceStore,
  page: PageQuery,
  warn: (message: string, evidence: unknown) => void,
): ReadResult<AuditPage> {
  const cursor = readCursor(AuditCursor, page.before);
  if (!cursor.ok) return cursor;
  const [, at = 0, source = '', seq = 0] = cursor.value ?? [];
  const before = cursor.value && { at, source, seq };
  const size = pageSize(page.limit);
  const { rows, ...next } = cutPage(store.audit.list(size + 1, before), size, (last) => [
    'audit',
    last.at,
    last.source,
    last.seq,
  ]);
  const entries = rows.flatMap((row) => {
    const read = ReadableAuditEntry.safeParse(parseStored(row.entry)).data;
    // A gap with a warning is better than a guess at who decided.
    if (read === undefined) warn('An audit entry cannot be read and is left out of the page', row);
    return read ?? [];
  });
  return { ok: true, value: { entries, ...next } };
}

/** A later version may have written more fields; the known ones are still true. */
const ReadableAuditEntry = AuditEntry.strip();
