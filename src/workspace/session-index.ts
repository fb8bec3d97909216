/**
 * Applies the reports of sessions.
 *
 * A report is applied whole or not at all. The stored head of a session is the last event that the workspace knows. A
 * report that ends at or before this head is old; a report that starts after it leaves a gap. Both change nothing. The
 * reply is the stored head, and the session reports again from there. A report holds the interactions that are open now,
 * so applying a stretch of the log twice, or together with a later stretch, gives the same rows.
 *
 * The file of a session can be exchanged for another one. The session learns of it from the reply: when a report comes
 * from another file, or from a session that cannot have reported that far, the reply is the known log in place of a
 * head. The next report of the session then replaces that log: its events start at 1 again, and the interactions of the
 * old log are closed. A late copy of an old report gets the same reply, which no caller reads.
 *
 * Only changed rows are written: the row of the session, and one row for each interaction that opens, closes or moves.
 * `open` in the session row holds the inbox key of each open interaction. If the two disagreed, a settled interaction
 * would stay in the inbox.
 */
import * as z from '../protocol/schema/zod.ts';
import type { LogConflict, Report } from '../core/report.ts';
import type { Opener } from '../protocol/schema/actor.ts';
import { rootOf } from '../protocol/caller.ts';
import type { InboxEntry } from '../protocol/schema/workspace.ts';
import { type InboxChange, isObject } from '../protocol/types.ts';
import { countAnswers } from './answer-times.ts';
import { chainAuditEntries } from './audit.ts';
import { dueAtOf, storedEntry, type InboxShares } from './inbox.ts';
import type { InboxStanding, NumberedSession, SessionIndexRow, WorkspaceStore } from './store.ts';
import { Announcement } from '../protocol/schema/announcement.ts';

export interface AppliedReport {
  /** The last event of the session that the workspace knows now. */
  readonly head: number;
  readonly isNew: boolean;
  /** The change in the number of open interactions of the workspace. */
  readonly opened: number;
  /** Of what the report has open; absent if nothing of it has a deadline. */
  readonly earliestDue?: number;
  /** Undefined when the inbox shows the same as before. */
  readonly inboxChange?: SessionChange;
  /** Undefined when the report was not applied, or no target and no terminal receives them. */
  readonly announcements?: ReadAnnouncements;
  /** The log that this report replaced, because the file of the session was exchanged. */
  readonly replacedLog?: LogConflict;
}

/** The change concerns one session, as a report does. */
type SessionChange = Omit<InboxChange, 'total' | 'now'>;

/** What a report changes beside its rows. */
export interface ReportTargets {
  readonly shares: InboxShares;
  /**
   * Both are called in the transaction of the report. `addRules` gives what the row of the session holds of its gated
   * requests.
   */
  readonly addRules: (
    known: Pick<NumberedSession, 'head' | 'gated'> | undefined,
    isDeleted: boolean,
  ) => string;
  /** Undefined where no target and no terminal receives announcements: then they are not read. */
  readonly addAnnouncements: ((announcements: readonly Announcement[]) => void) | undefined;
}

export function applyReport(
  store: WorkspaceStore,
  report: Report,
  now: number,
  { shares, addRules, addAnnouncements }: ReportTargets,
): AppliedReport | { readonly otherLog: LogConflict } {
  const found = store.sessions.find(report.sessionId);
  if (found !== undefined && !continuesKnownLog(report, found)) {
    const { incarnation, head } = found;
    return { otherLog: { incarnation, head } };
  }
  const isSame = found === undefined || found.incarnation === report.incarnation;
  // Of a replaced log only the open interactions matter: they must be closed.
  const known = isSame ? found : { ...found, head: 0, deletedAt: null };
  const head = known?.head ?? 0;
  if (report.head <= head || report.after > head) return { head, isNew: false, opened: 0 };
  // Every event of a new log is announced: its numbers were used before, for other events.
  const announced = addAnnouncements && readAnnouncements(report, head);
  const open = store.write(() => {
    // Deletion is final: no later report opens an interaction again.
    const deletedAt = known?.deletedAt ?? report.deletedAt;
    const open = new Map(known?.open ?? []);
    const openedAt = openingTimes(report);
    const isOver = deletedAt !== null || !isSame;
    removeClosed(store, report, open, shares, {
      closed: isOver ? [...open.keys()] : report.closed,
      openedAt,
    });
    if (deletedAt === null) putOpened(store, report, open, shares);
    const { sessionId: id, title, createdAt, incarnation } = report;
    const names = { id, title, createdAt, deletedAt, incarnation };
    const listed = { ...activityOf(report, known, now), isArchived: report.archived === true };
    const gated = addRules(known, deletedAt !== null);
    const row = { ...names, ...listed, head: report.head, reportedAt: now, open, gated };
    if (known === undefined) store.sessions.add(row);
    else store.sessions.update(known.number, row, { isListedElsewhere: movesInList(found, row) });
    if (deletedAt !== null) {
      store.cliSessions.removeOf(id);
      store.pins.removeOf(id);
      store.exports.removeOf(id);
    }
    addAuditEntries(store, report, now, { known: head, isSame, openedAt });
    if (announced !== undefined) addAnnouncements?.(announced.announcements);
    return open;
  });
  const before = known?.open ?? new Map<string, InboxStanding>();
  const change = inboxChangeOf(report, { before, after: open, title: known?.title ?? null });
  const opened = open.size - before.size;
  const due = report.open.flatMap(({ expiresAt }) => expiresAt ?? []);
  return {
    head: report.head,
    isNew: known === undefined,
    opened,
    ...(due.length > 0 && { earliestDue: Math.min(...due) }),
    ...(change && { inboxChange: change }),
    ...(announced && { announcements: announced }),
    ...(!isSame && { replacedLog: found }),
  };
}

/** Whether a column of the index of the list has changed. */
function movesInList(found: NumberedSession | undefined, row: SessionIndexRow): boolean {
  return (
    found?.deletedAt !== row.deletedAt ||
    found.activeAt !== row.activeAt ||
    found.isArchived !== row.isArchived
  );
}

interface KnownEntries {
  readonly known: number;
  readonly isSame: boolean;
  readonly openedAt: OpeningTimes;
}

/** Of a log that replaces another one, some events may be in the list already: the file is an older copy. */
function addAuditEntries(
  store: WorkspaceStore,
  { sessionId, audit }: Report,
  now: number,
  { known, isSame, openedAt }: KnownEntries,
): void {
  if (audit.length === 0) return;
  const keys = isSame ? [] : store.audit.keysOf(sessionId);
  const listed = new Set(keys.map(({ at, seq }) => `${at} ${seq}`));
  const entries = audit.flatMap((entry) => {
    if (entry.seq <= known || listed.has(`${entry.at} ${entry.seq}`)) return [];
    const opened = openedAt.get(entry.interactionId ?? '');
    const waited = opened === undefined ? {} : { waitedMs: Math.max(0, entry.at - opened) };
    return [{ ...entry, ...waited }];
  });
  countAnswers(store, chainAuditEntries(store, sessionId, entries, now), now);
}

/** An index row is written when the activity moves, so it moves at most once in this time. */
const ACTIVITY_STEP_MS = 60_000;

function activityOf(
  { about, labels, deletedAt }: Report,
  known: NumberedSession | undefined,
  now: number,
): Pick<NumberedSession, 'activeAt' | 'about'> {
  const lastAt = about?.lastAt ?? now;
  const isNear = known !== undefined && lastAt - known.activeAt < ACTIVITY_STEP_MS;
  const kept = deletedAt === null ? known?.about : undefined;
  const { labels: _, ...before } = kept ?? {};
  return {
    activeAt: isNear ? known.activeAt : lastAt,
    about: { ...before, ...about, ...(labels !== undefined && { labels }) },
  };
}

/** Whether the report continues the known log, or replaces it knowingly. */
function continuesKnownLog(report: Report, known: NumberedSession): boolean {
  const { incarnation, replaces, after, reportedAtMost, unconfirmedHeads, head } = report;
  if (incarnation !== known.incarnation) return replaces === known.incarnation && after === 0;
  // The same report may have arrived before.
  return (
    known.head <= reportedAtMost || known.head === head || unconfirmedHeads.includes(known.head)
  );
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
    const openedBy = reportedOpener(entry);
    return [{ ...entry, openedBy, ...(standing.beyondShare && { beyondShare: true }) }];
  });
  const removed = [...known.before.keys()].filter((id) => !known.after.has(id));
  const isRenamed = sessionTitle !== known.title && known.after.size > 0;
  if (upserts.length + removed.length === 0 && !isRenamed) return undefined;
  return { sessionId, sessionTitle, upserts, removed };
}

/** A session of an older version does not report the opener. */
function reportedOpener({ openedBy }: { readonly openedBy?: Opener }): Opener {
  return openedBy ?? { credential: '', subject: '' };
}

/** When the interactions of a report were opened, as far as this workspace knows. */
type OpeningTimes = Map<string, number>;

/** Of those that were opened within the report; the others are in the inbox. A session of an older version reports none. */
function openingTimes({ announcements }: { readonly announcements?: unknown }): OpeningTimes {
  const given: readonly unknown[] = Array.isArray(announcements) ? announcements : [];
  return new Map(given.filter(isOpening).map(({ interactionId, at }) => [interactionId, at]));
}

/** Whatever else it has is for targets alone, and is checked for them. */
function isOpening(one: unknown): one is { readonly interactionId: string; readonly at: number } {
  return (
    isObject(one) &&
    one['type'] === 'interaction.requested' &&
    typeof one['interactionId'] === 'string' &&
    typeof one['at'] === 'number'
  );
}

function removeClosed(
  store: WorkspaceStore,
  { sessionId }: Report,
  open: Map<string, InboxStanding>,
  shares: InboxShares,
  { closed, openedAt }: { readonly closed: readonly string[]; readonly openedAt: OpeningTimes },
): void {
  for (const interactionId of closed) {
    const standing = open.get(interactionId);
    if (standing === undefined) continue;
    const removed = store.inbox.remove({ ...standing, sessionId, interactionId });
    if (removed !== undefined && !standing.beyondShare) shares.release(removed.root);
    if (removed?.openedAt != null) openedAt.set(interactionId, removed.openedAt);
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
    const root = rootOf(reportedOpener(entry));
    const previous = open.get(interactionId);
    if (previous !== undefined && previous.dueAt !== dueAt) {
      store.inbox.remove({ ...previous, sessionId, interactionId });
    }
    const beyondShare = previous?.beyondShare ?? !shares.claim(store, root);
    const standing = { beyondShare, dueAt };
    store.inbox.put({ ...standing, sessionId, interactionId }, root, storedEntry(entry));
    open.set(interactionId, standing);
  }
}

interface ReadAnnouncements {
  readonly announcements: readonly Announcement[];
  /** Why an announcement could not be read. */
  readonly problem?: string;
}

/**
 * The announcements of a report that are new to the workspace.
 *
 * A report may cover events that an earlier report covered; their announcements are dropped. An unreadable announcement
 * is left out with a problem. Refusing the whole report would block every later report of the session, and its settled
 * interactions would stay in the inbox.
 */
export function readAnnouncements(report: Report, knownHead: number): ReadAnnouncements {
  const announcements: Announcement[] = [];
  let problem: string | undefined;
  let last = report.after;
  // A handover is announced twice, to those who are asked now and to those who no longer are.
  const isNext = ({ seq, type }: Announcement) =>
    seq > last || (type === 'interaction.handed_over' && seq === last && seq > report.after);
  // A session of an older version sends none.
  for (const given of report.announcements ?? []) {
    const parsed = Announcement.safeParse(given);
    if (!parsed.success) problem ??= z.prettifyError(parsed.error);
    else if (!isNext(parsed.data) || parsed.data.seq > report.head) problem ??= 'out of order';
    else {
      last = parsed.data.seq;
      if (last > knownHead) announcements.push(parsed.data);
    }
  }
  return problem === undefined ? { announcements } : { announcements, problem };
}
