/**
 * What a person at a terminal is shown of a report: which requests opened, and how they ended. Names alone; what was
 * asked and answered is not for a log.
 */
import type { Report } from '../core/report.ts';
import type { InboxEntry } from '../protocol/workspace.ts';

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

/** What was known of the session before the report, so that nothing is shown twice. */
export interface KnownBefore {
  readonly head: number;
  readonly open: ReadonlyMap<string, unknown>;
}

/** In order of time; a request that opened and ended within one report has only its end. */
export function activitiesOf(report: Report, before: KnownBefore): Activity[] {
  const { sessionId, title: sessionTitle } = report;
  const opened = report.open
    .filter(({ interactionId }) => !before.open.has(interactionId))
    .map((entry): Activity => {
      const { interactionId, toolName, kind, openedAt: at } = entry;
      return { activity: 'opened', at, sessionId, sessionTitle, interactionId, toolName, kind };
    });
  const settled = report.audit.flatMap((entry): Activity[] => {
    const { interactionId, toolName = '', kind = '', at, outcome, via } = entry;
    if (interactionId === undefined || outcome === undefined || entry.seq <= before.head) return [];
    const subject = via === 'timeout' || via === 'system' ? {} : { subject: entry.subject };
    const about = { at, sessionId, sessionTitle, interactionId, toolName, kind };
    return [{ activity: 'settled', ...about, outcome, ...subject }];
  });
  return [...settled, ...opened].toSorted((a, b) => a.at - b.at);
}
