/**
 * What a person at a terminal is shown of a report: which requests opened, and how they ended. Names alone; what was
 * asked and answered is not for a log.
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
  /** Who settled it; absent for the clock. */
  readonly subject?: string;
}

/** In the order of the log, also of what opened and ended within one report. */
export function activitiesOf(
  { sessionId, title: sessionTitle }: Report,
  announcements: readonly Announcement[],
): Activity[] {
  return announcements.flatMap((one): Activity[] => {
    if (one.type !== 'interaction.requested' && one.type !== 'interaction.resolved') return [];
    const { at, interactionId, toolName, kind } = one;
    const about = { at, sessionId, sessionTitle, interactionId, toolName, kind };
    if (one.type === 'interaction.requested') return [{ activity: 'opened', ...about }];
    const { outcome, settledBy } = one;
    const isByItself = settledBy.via === 'timeout' || settledBy.via === 'system';
    const subject = isByItself ? {} : { subject: settledBy.subject };
    return [{ activity: 'settled', ...about, outcome, ...subject }];
  });
}
