/**
 * The announcements of a report that the workspace applies. A bug here looks like an announcement that is delivered
 * twice because its report came twice, or a session whose reports are all refused because of one bad announcement.
 */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/core/report.ts';
import { readAnnouncements, applyReport } from '../../src/workspace/session-index.ts';
import { InboxShares } from '../../src/workspace/inbox.ts';
import { ReportingSession } from './reporting-session.ts';
import { WorkspaceHarness } from './workspace-harness.ts';

const seqsOf = (report: Report, head = 0) =>
  readAnnouncements(report, head).announcements.map(({ seq }) => seq);

describe('the announcements of a report', () => {
  const session = () => new ReportingSession('s-1').ask('a~1', null).ask('b~1', null).settle('a~1');

  it('[OUT-2] are the unknown ones, so that a repeated report announces nothing', () => {
    const { store } = new WorkspaceHarness();
    const apply = (report: Report) => {
      const applied = applyReport(store, report, 1, {
        shares: new InboxShares(),
        addRules: () => '[]',
        addAnnouncements: () => undefined,
      });
      return 'otherLog' in applied
        ? applied
        : applied.announcements?.announcements.map(({ seq }) => seq);
    };
    expect(apply(session().report())).toEqual([2, 3, 4]);
    expect(apply(session().report())).toBeUndefined();
    expect(apply(session().settle('b~1').report(1))).toEqual([5]);
  });

  it('[OUT-2] of a partly known stretch are the rest of it', () => {
    expect(seqsOf(session().report(), 2)).toEqual([3, 4]);
    expect(seqsOf(session().report(), 4)).toEqual([]);
  });

  it.each<[string, (report: Report) => unknown[]]>([
    ['of an unknown type', ({ announcements }) => [{ ...announcements[0], type: 'session.sold' }]],
    ['with a field that is none', ({ announcements }) => [{ ...announcements[0], extra: 1 }]],
    ['out of order', ({ announcements }) => [...announcements].toReversed()],
    ['beyond the stretch', ({ announcements }) => [{ ...announcements[0], seq: 9 }]],
    ['that are none', () => [null, 'interaction.requested', 5]],
  ])(
    '[OUT-2] %s are left out with a warning, and the report is applied all the same',
    (_what, spoil) => {
      const harness = new WorkspaceHarness();
      const report = session().report();
      const announcements = spoil(report) as Report['announcements'];
      expect(harness.workspace.applyReport({ ...report, announcements })).toBe(report.head);
      expect(harness.warned).toEqual(['An announcement of s-1 cannot be read']);
      expect(harness.workspace.inbox({})).toMatchObject({ value: { total: 1 } });
    },
  );

  it('[OUT-2] are missing in the report of a session of an older version', () => {
    const harness = new WorkspaceHarness();
    const { announcements: _none, ...report } = session().report();
    expect(harness.workspace.applyReport(report as Report)).toBe(report.head);
    expect(harness.warned).toEqual([]);
  });
});
