/**
 * What a session tells its workspace: a stretch of its log, boiled down to what the workspace keeps.
 *
 * Open and closed are said as they are *now*, not event by event, so hearing a stretch twice or
 * together with a later one gives the same directory. What is to be announced and audited is said event
 * by event, with its `seq`, by which a second hearing is told; it follows from the stretch alone.
 */
import type { Announcement } from '../protocol/schema/announcement.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { AuditEntry, InboxEntry } from '../protocol/schema/workspace.ts';
import { announceEvent, fitsInbox } from './announce-event.ts';
import { toAuditEntry } from './audit-entry.ts';
import { listOpenInteractions, type SessionState } from './state.ts';

/** Who tells: a session whose file was exchanged for an older copy must not be taken for the one it was. */
export interface ReportSource {
  /** The random name of the file that tells; empty for a file from before files had names. */
  readonly incarnation: string;
  /** The incarnation that the workspace still knows, and drops for this one. */
  readonly replaces?: string;
  /** The longest log that this session can have told: as it woke, or as far as it was confirmed since. */
  readonly reportedAtMost: number;
  /** Where reports ended whose answer was lost; one of them may have been heard. */
  readonly unconfirmedHeads: readonly number[];
}

/** Instead of how far a report was heard: the workspace knows another log under this id. */
export interface LogConflict {
  readonly incarnation: string;
  readonly head: number;
}

export interface Report extends ReportSource {
  readonly workspace: string;
  readonly sessionId: string;
  /** The log is told from here (exclusive) to `head`; a gap before it must be told again. */
  readonly after: number;
  readonly head: number;
  readonly title: string | null;
  readonly createdAt: number;
  readonly deletedAt: number | null;
  readonly open: readonly InboxEntry[];
  readonly closed: readonly string[];
  readonly audit: readonly AuditEntry[];
  readonly announcements: readonly Announcement[];
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
  for (const event of events) {
    if (
      event.type === 'interaction_request' ||
      event.type === 'interaction_update' ||
      event.type === 'interaction_response'
    ) {
      touchedIds.add(event.payload.interactionId);
    }
    const entry = toAuditEntry(state, event);
    if (entry !== undefined) audit.push(entry);
    const announcement = announceEvent(event);
    if (announcement !== undefined) announcements.push(announcement);
  }
  // A workspace that drops what it knew must learn of everything at once: what is left out is gone.
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
    createdAt: state.info.createdAt,
    deletedAt: state.info.deletedAt,
    open: open.map((interaction): InboxEntry => {
      const { interactionId, toolCallId, toolName, kind, presentation } = interaction;
      const { request, inputDigest, openedAt, openedBy, expiresAt, overdue } = interaction;
      return {
        sessionId: state.info.id,
        sessionTitle: state.info.title,
        interactionId,
        toolCallId,
        toolName,
        kind,
        presentation,
        request: fitsInbox(request) ? request : null,
        inputDigest,
        openedAt,
        openedBy,
        expiresAt,
        ...(overdue === true && { overdue }),
      };
    }),
    closed: [...touchedIds].filter((id) => !state.open.has(id)),
    audit,
    announcements,
  };
}
