/**
 * The lines that a terminal prints for a report: which interactions opened, and how they ended. The lines leave out
 * requests and answers, which do not belong in a log.
 */
import type { Report } from '../core/report.ts';
import type { Announcement } from '../protocol/schema/announcement.ts';
import type { InboxEntry } from '../protocol/schema/workspace.ts';

export interface Activity extends Pick<InboxEntry, 'sessionId' | 'sessionTitle'> {
  readonly at: number;
  readonly activity: 'opened' | 'settled';
  readonly interactionId: string;
  readonly toolName: string;
  readonly kind: string;
  readonly outcome?: string;
  /** Absent when a deadline or the system settled the interaction. */
  readonly subject?: string;
}

/** In the order of the log, also when an interaction opens and ends within one report. */
export function activitiesOf(
  { sessionId, title: sessionTitle }: Report,
  announcements: readonly Announcement[],
): Activity[] {
  return announcements.flatMap((announcement): Activity[] => {
    if (
      announcement.type !== 'interaction.requested' &&
      announcement.type !== 'interaction.resolved'
    )
      return [];
    const { at, interactionId, toolName, kind } = announcement;
    const about = { at, sessionId, sessionTitle, interactionId, toolName, kind };
    if (announcement.type === 'interaction.requested') return [{ activity: 'opened', ...about }];
    const { outcome, settledBy } = announcement;
    const isAutomatic = settledBy.via === 'timeout' || settledBy.via === 'system';
    const subject = isAutomatic ? {} : { subject: settledBy.subject };
    return [{ activity: 'settled', ...about, outcome, ...subject }];
  });
}
