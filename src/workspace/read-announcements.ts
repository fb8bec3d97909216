/**
 * What a report announces that was not known before, for whoever delivers it.
 *
 * A report may cover a stretch that was heard already, and what was announced then is not announced again. One that
 * does not read as it should is left out and said: refusing the report for it would keep the session from ever telling
 * anything again, and its settled requests in the inbox.
 */
import * as z from 'zod';
import type { Report } from '../core/report.ts';
import { Announcement } from '../protocol/schema/announcement.ts';

export interface ReadAnnouncements {
  readonly announcements: readonly Announcement[];
  /** Why some of it could not be read. */
  readonly problem?: string;
}

export function readAnnouncements(report: Report, knownHead: number): ReadAnnouncements {
  const announced: Announcement[] = [];
  let problem: string | undefined;
  let last = report.after;
  // A session that runs the version before sends none.
  for (const given of report.announcements ?? []) {
    const parsed = Announcement.safeParse(given);
    if (!parsed.success) problem ??= z.prettifyError(parsed.error);
    else if (parsed.data.seq <= last || parsed.data.seq > report.head) problem ??= 'out of order';
    else {
      last = parsed.data.seq;
      if (last > knownHead) announced.push(parsed.data);
    }
  }
  return problem === undefined
    ? { announcements: announced }
    : { announcements: announced, problem };
}
