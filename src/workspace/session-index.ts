/**
 * Hearing what sessions tell, and the list of them.
 *
 * A report is taken whole or not at all. The stored head of a session is how far its log was heard:
 * a report that ends there or before is old, one that starts after it leaves a gap, and both change
 * nothing. The answer is the stored head, from where the session then tells again. Reports say what
 * is open as it is now, so a stretch heard twice, or together with a later one, is the same.
 *
 * A session whose file was exchanged for another says so, once it has found out: its log begins anew
 * here, and what the old one had open is closed. It finds out by the answer, which is the log that is
 * known here instead of a head, when a report comes from another file or from a session that cannot
 * have told so much. A late copy of an old report gets that answer too, and there is nobody to take it.
 *
 * Only rows that change are written: the session's own, and one for each interaction that comes, goes
 * or moves. `open` in the session row says under which key an interaction stands in the inbox; if the
 * two disagreed, an interaction that is settled would stay in the inbox for good.
 */
import * as z from 'zod';
import type { AnotherLog, Report } from '../core/report.ts';
import type { Opener } from '../protocol/schema/actor.ts';
import { rootOf } from '../protocol/caller.ts';
import { readCursor } from '../protocol/schema/cursor.ts';
import type { InboxEntry, SessionEntry } from '../protocol/schema/workspace.ts';
import type { InboxChange, SessionsPage } from '../protocol/types.ts';
import { type ReadAnnouncements, readAnnouncements } from './read-announcements.ts';
import { auditRow } from './audit.ts';
import { cutPage, pageSize } from './cut-page.ts';
import { dueAtOf, storedEntry } from './inbox.ts';
import type { InboxStanding, NumberedSession, PageQuery, WorkspaceStore } from './ports.ts';
import type { ReadResult } from '../protocol/result.ts';
import type { InboxShares } from './inbox-shares.ts';

export interface AppliedReport {
  /** How far the log of the session is known now. */
  readonly head: number;
  readonly isNew: boolean;
  /** By how much the number of open interactions in the workspace grew. */
  readonly opened: number;
  /** What the inbox shows otherwise than before; undefined when it shows the same. */
  readonly inboxChange?: SessionChange;
  /** Undefined when nothing was taken. */
  readonly announcements?: ReadAnnouncements;
  /** The session was told from the beginning, in place of this one. */
  readonly replacedLog?: AnotherLog;
}

/** All of one session, because a report is. */
type SessionChange = Omit<InboxChange, 'total' | 'now'>;

export function applyReport(
  store: WorkspaceStore,
  report: Report,
  now: number,
  shares: InboxShares,
): AppliedReport | { readonly knows: AnotherLog } {
  const found = store.sessions.find(report.sessionId);
  if (found !== undefined && !continuesKnownLog(report, found)) {
    const { incarnation, head } = found;
    return { knows: { incarnation, head } };
  }
  const isSame = found === undefined || found.incarnation === report.incarnation;
  // What a file that was exchanged had told counts for nothing, but for what is to be closed.
  const known = isSame ? found : { ...found, head: 0, deletedAt: null };
  const head = known?.head ?? 0;
  if (report.head <= head || report.after > head) return { head, isNew: false, opened: 0 };
  const open = store.write(() => {
    // Deletion is final: nothing a later stretch says can bring an interaction back.
    const deletedAt = known?.deletedAt ?? report.deletedAt;
    const open = new Map(known?.open ?? []);
    const isOver = deletedAt !== null || !isSame;
    removeClosed(store, report, open, shares, isOver ? [...open.keys()] : report.closed);
    if (deletedAt === null) putOpened(store, report, open, shares);
    const { sessionId: id, title, createdAt, incarnation } = report;
    const about = { id, title, createdAt, deletedAt, incarnation };
    const row = { ...about, head: report.head, reportedAt: now, open };
    if (known === undefined) store.sessions.add(row);
    else store.sessions.update(known.number, row);
    for (const entry of report.audit) store.audit.add(auditRow(id, entry));
    return open;
  });
  const before = known?.open ?? new Map<string, InboxStanding>();
  const change = inboxChangeOf(report, { before, after: open, title: known?.title ?? null });
  const opened = open.size - before.size;
  return {
    head: report.head,
    isNew: known === undefined,
    opened,
    ...(change && { inboxChange: change }),
    // Of a file that was exchanged all is announced again: what is new in it has numbers that were used before.
    announcements: readAnnouncements(report, head),
    ...(!isSame && { replacedLog: found }),
  };
}

/** Whether the report goes on from what is known, or drops it knowingly. */
function continuesKnownLog(report: Report, known: NumberedSession): boolean {
  const { incarnation, replaces, after, mayKnow, orKnows, head } = report;
  if (incarnation !== known.incarnation) return replaces === known.incarnation && after === 0;
  // This very report may have come before.
  return known.head <= mayKnow || known.head === head || orKnows.includes(known.head);
}

function inboxChangeOf(
  { sessionId, title: sessionTitle, open }: Report,
  known: {
    readonly before: ReadonlyMap<string, InboxStanding>;
    readonly after: ReadonlyMap<string, InboxStanding>;
    readonly title: string | null;
  },
): SessionChange | undefined {
  const upserts = open.flatMap((entry): InboxEntry[] => {
    const standing = known.after.get(entry.interactionId);
    if (standing === undefined) return [];
    const openedBy = openerOf(entry);
    return [{ ...entry, openedBy, ...(standing.beyondShare && { beyondShare: true }) }];
  });
  const removed = [...known.before.keys()].filter((id) => !known.after.has(id));
  const isRenamed = sessionTitle !== known.title && known.after.size > 0;
  if (upserts.length + removed.length === 0 && !isRenamed) return undefined;
  return { sessionId, sessionTitle, upserts, removed };
}

/** A session that runs the version before does not say. */
function openerOf({ openedBy }: { readonly openedBy?: Opener }): Opener {
  return openedBy ?? { credential: '', subject: '' };
}

function removeClosed(
  store: WorkspaceStore,
  { sessionId }: Report,
  open: Map<string, InboxStanding>,
  shares: InboxShares,
  closed: readonly string[],
): void {
  for (const interactionId of closed) {
    const standing = open.get(interactionId);
    if (standing === undefined) continue;
    const root = store.inbox.remove({ ...standing, sessionId, interactionId });
    if (root !== undefined && !standing.beyondShare) shares.release(root);
    open.delete(interactionId);
  }
}

function putOpened(
  store: WorkspaceStore,
  report: Report,
  open: Map<string, InboxStanding>,
  shares: InboxShares,
): void {
  const { sessionId } = report;
  for (const entry of report.open) {
    const { interactionId } = entry;
    const dueAt = dueAtOf(entry);
    const root = rootOf(openerOf(entry));
    const stood = open.get(interactionId);
    if (stood !== undefined && stood.dueAt !== dueAt) {
      store.inbox.remove({ ...stood, sessionId, interactionId });
    }
    const beyondShare = stood?.beyondShare ?? !shares.claim(store, root);
    const standing = { beyondShare, dueAt };
    store.inbox.put({ ...standing, sessionId, interactionId }, root, storedEntry(entry));
    open.set(interactionId, standing);
  }
}

const SessionCursor = z.tuple([z.literal('sessions'), z.int()]);

/** Newest first; deleted ones are not shown. */
export function listSessions(store: WorkspaceStore, page: PageQuery): ReadResult<SessionsPage> {
  const place = readCursor(SessionCursor, page.before);
  if (!place.ok) return place;
  const size = pageSize(page.limit);
  const found = store.sessions.list(size + 1, place.value?.[1]);
  const { rows, ...next } = cutPage(found, size, (last) => ['sessions', last.number]);
  return { ok: true, value: { sessions: rows.map(sessionEntry), ...next } };
}

function sessionEntry({ id, title, createdAt, head, open }: NumberedSession): SessionEntry {
  return { id, title, createdAt, head, open: open.size };
}
