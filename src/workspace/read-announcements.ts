/**
 * The announcements of a report that are new to the workspace.
 *
 * A report may cover events that an earlier report covered; their announcements are dropped. An unreadable announcement
 * is left out with a problem. Refusing the whole report would block every later report of the session, and its settled
 * interactions would stay in the inbox.
 */
import * as z from 'zod';
import type { Report } from '../core/report.ts';
import { Announcement } from '../protocol/schema/announcement.ts';

export interface ReadAnnouncements {
  readonly announcements: readonly Announcement[];
  /** Why an announcement could not be read. */
  readonly problem?: string;
}

export function readAnnouncements(report: Report, knownHead: number): ReadAnnouncements {
  const announcements: Announcement[] = [];
  let problem: string | undefined;
  let last = report.after;
  // A session of an older version sends none.
  for (const given of report.announcements ?? []) {
    const parsed = Announcement.safeParse(given);
    if (!parsed.success) problem ??= z.prettifyError(parsed.error);
    else if (parsed.data.seq <= last || parsed.data.seq > report.head) problem ??= 'out of order';
    else {
      last = parsed.data.seq;
      if (last > knownHead) announcements.push(parsed.data);
    }
  }
  return problem === undefined ? { announcements } : { announcements, problem };
}
