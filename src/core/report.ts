/**
 * The report of a session to its workspace: a range of the log, reduced to the data that the workspace keeps.
 *
 * `open` and `closed` describe the session as it is now, not event by event, so applying a range twice or together with
 * a later one gives the same session list. Announcements and audit entries are listed event by event. They follow from
 * the range alone, and each carries its `seq`, by which the workspace recognizes a repeated report.
 */
import type { Labels } from '../protocol/schema/audience.ts';
import type { Announcement } from '../protocol/schema/announcement.ts';
import { isRecordEvent } from '../protocol/interaction-record.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { AuditEntry, InboxEntry, SessionAbout } from '../protocol/schema/workspace.ts';
import type { GatedRequest } from '../protocol/schema/gated-request.ts';
import type { Rule } from '../protocol/schema/rule.ts';
import { announceEvent, announceHandover, requestForLists } from './announce-event.ts';
import { toAuditEntry } from './audit-entry.ts';
import { toGatedRequest } from './rules/reduce-request.ts';
import { listOpenInteractions, type SessionState } from './state.ts';
import { summarizeEvents } from './summarize-events.ts';

/** Identifies the stored log: a session whose file was replaced by an older copy must not pass for the same log. */
export interface ReportSource {
  /** The random name of the session's file; empty for files written before they had names. */
  readonly incarnation: string;
  /** The incarnation that the workspace still knows and replaces by this one. */
  readonly replaces?: string;
  /** No report of this session goes beyond this seq: its head when it woke, or the seq confirmed since. */
  readonly reportedAtMost: number;
  /** Heads of reports whose reply was lost; the workspace may have applied one of them. */
  readonly unconfirmedHeads: readonly number[];
}

/** The reply of a workspace that knows another log under this id, in place of the confirmed seq. */
export interface LogConflict {
  readonly incarnation: string;
  readonly head: number;
}

/** The confirmed seq, with the hint that someone follows the inbox. */
interface WatchedHead {
  readonly head: number;
  readonly isWatched: true;
}

export type ReportReply = number | WatchedHead | LogConflict;

export interface Report extends ReportSource {
  readonly workspace: string;
  readonly sessionId: string;
  /** The report covers the log from here (exclusive) to `head`; the session must report a gap before it again. */
  readonly after: number;
  readonly head: number;
  readonly title: string | null;
  /** Absent: it has none. */
  readonly labels?: Labels;
  /** Absent: it is not. */
  readonly archived?: true;
  /** What the list shows of the session; a session of an older version sends none. */
  readonly about?: SessionAbout;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly open: readonly InboxEntry[];
  readonly closed: readonly string[];
  readonly audit: readonly AuditEntry[];
  readonly announcements: readonly Announcement[];
  /** The rules of the session as they are now; left out where no event of this stretch changes them. */
  readonly rules?: readonly Rule[];
  /** The session reads a `WatchedHead`; one of an older version would take it for another log. */
  readonly readsWatched?: true;
  /** The requests that passed the gate. A session of an older version reports none. */
  readonly gated?: readonly GatedRequest[];
}

export function buildReport(
  state: SessionState,
  after: number,
  events: readonly SessionEvent[],
  source: ReportSource,
): Report {
  const touchedIds = new Set<string>();
  const audit: AuditEntry[] = [];
  const announcements: Announcement[] = [];
  const gated: GatedRequest[] = [];
  let changesRules = source.replaces !== undefined;
  for (const event of events) {
    const interactionId = isRecordEvent(event) ? event.payload.interactionId : undefined;
    if (interactionId !== undefined) touchedIds.add(interactionId);
    const request = toGatedRequest(state, event);
    if (request !== undefined) gated.push(request);
    if (event.type === 'session_updated') {
      const { ruleAdded, ruleRevoked } = event.payload;
      changesRules ||= ruleAdded !== undefined || ruleRevoked !== undefined;
    }
    const entry = toAuditEntry(state, event);
    if (entry !== undefined) audit.push(entry);
    const announcement = announceEvent(event, state.open.get(interactionId ?? ''));
    if (announcement !== undefined) announcements.push(announcement);
    const handover = announceHandover(event);
    if (handover !== undefined) announcements.push(handover);
  }
  // A workspace that replaces another log needs every open interaction at once: it forgets those left out.
  const isWhole = source.replaces !== undefined;
  const open = listOpenInteractions(state).filter(
    (one) => isWhole || touchedIds.has(one.interactionId),
  );
  return {
    ...source,
    workspace: state.info.workspace,
    sessionId: state.info.id,
    after,
    head: state.head,
    title: state.info.deletedAt === null ? state.info.title : null,
    ...(state.info.labels !== undefined && { labels: state.info.labels }),
    ...(state.info.archived === true && { archived: true as const }),
    about: state.info.deletedAt === null ? summarizeEvents(state, events) : {},
    createdAt: state.info.createdAt,
    deletedAt: state.info.deletedAt,
    open: open.map((interaction): InboxEntry => {
      const { interactionId, toolCallId, toolName, kind, presentation } = interaction;
      const { inputDigest, openedAt, openedBy, expiresAt, overdue, audience } = interaction;
      const { quorum, notRequester, votes, claim } = interaction;
      return {
        sessionId: state.info.id,
        sessionTitle: state.info.title,
        ...(state.info.labels !== undefined && { sessionLabels: state.info.labels }),
        interactionId,
        toolCallId,
        toolName,
        kind,
        presentation,
        request: requestForLists(interaction),
        inputDigest,
        openedAt,
        openedBy,
        expiresAt,
        ...(overdue === true && { overdue }),
        ...(audience !== undefined && { audience }),
        ...(quorum !== undefined && { quorum }),
        ...(notRequester !== undefined && { notRequester }),
        ...(votes !== undefined && { votes }),
        ...(claim !== undefined && { claim }),
      };
    }),
    closed: [...touchedIds].filter((id) => !state.open.has(id)),
    audit,
    announcements,
    readsWatched: true,
    ...(changesRules && { rules: state.rules }),
    ...(gated.length > 0 && { gated }),
  };
}
