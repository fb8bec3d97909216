/**
 * The audit list: who decided what, when, from where, over which input. Entries are only ever added.
 *
 * Its key is what makes hearing a stretch of a log twice harmless: a session numbers its own entries
 * by the event they are about, and the workspace numbers what happened in it by itself.
 */
import * as z from 'zod';
import { auditActor } from '../core/audit-entry.ts';
import { readCursor } from '../protocol/schema/cursor.ts';
import type { Settler } from '../protocol/schema/actor.ts';
import { AuditEntry } from '../protocol/schema/workspace.ts';
import { cutPage, pageSize } from './cut-page.ts';
import type { AuditRow, PageQuery, WorkspaceStore } from './ports.ts';
import type { ReadResult } from '../protocol/result.ts';

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  readonly next?: string;
}

/** No session has this name. */
const WORKSPACE_SOURCE = '';

export function auditRow(source: string, entry: AuditEntry): AuditRow {
  return { at: entry.at, source, seq: entry.seq, entry: JSON.stringify(entry) };
}

/** What somebody changed in the workspace itself; called in the transaction of the change. */
export function addOwnAudit(
  store: WorkspaceStore,
  by: Settler,
  entry: Omit<AuditEntry, 'seq' | 'subject' | 'via' | 'by'>,
): void {
  const seq = store.audit.freeSeq(entry.at, WORKSPACE_SOURCE);
  store.audit.add(auditRow(WORKSPACE_SOURCE, { ...entry, seq, ...auditActor(by) }));
}

const AuditCursor = z.tuple([z.literal('audit'), z.int(), z.string(), z.int()]);

export function listAudit(
  store: WorkspaceStore,
  page: PageQuery,
  warn: (message: string, evidence: unknown) => void,
): ReadResult<AuditPage> {
  const place = readCursor(AuditCursor, page.before);
  if (!place.ok) return place;
  const [, at = 0, source = '', seq = 0] = place.value ?? [];
  const before = place.value && { at, source, seq };
  const size = pageSize(page.limit);
  const { rows, ...next } = cutPage(store.audit.list(size + 1, before), size, (last) => [
    'audit',
    last.at,
    last.source,
    last.seq,
  ]);
  const entries = rows.flatMap((row) => {
    const read = readEntry(row);
    // Guessing who decided what would be worse than a gap somebody is warned about.
    if (read === undefined) warn('An audit entry cannot be read and is left out of the page', row);
    return read ?? [];
  });
  return { ok: true, value: { entries, ...next } };
}

/** A later version may have written more than this one knows; what it knows is still true. */
const ReadableAuditEntry = AuditEntry.strip();

function readEntry(row: AuditRow): AuditEntry | undefined {
  try {
    return ReadableAuditEntry.safeParse(JSON.parse(row.entry)).data;
  } catch {
    return undefined;
  }
}
