/** A bug here deletes what somebody still needs, and nothing brings it back. */
import { describe, expect, it } from 'vitest';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, OLGA, WorkspaceHarness } from './workspace-harness.ts';

const DAY = 24 * 60 * MINUTE;

function withSessions(count = 3): { harness: WorkspaceHarness; sessions: ReportingSession[] } {
  const harness = new WorkspaceHarness();
  const sessions = Array.from({ length: count }, (_, index) => {
    const session = new ReportingSession(`s-${index}`, harness.now);
    harness.workspace.applyReport(session.report());
    return session;
  });
  return { harness, sessions };
}

function set(harness: WorkspaceHarness, retention: { days: number; exportFirst?: true }): void {
  harness.workspace.updateSettings({ timeouts: {}, retention }, OLGA);
}

describe('[TEAM-9] the retention of sessions', () => {
  it('is off unless it is set, and then deletes what is old enough', async () => {
    const { harness } = withSessions();
    await harness.pass(100 * DAY);
    expect(harness.deleted).toEqual([]);
    harness.workspace.applyReport(new ReportingSession('new', harness.now).report());
    set(harness, { days: 30 });
    await harness.pass(MINUTE);
    expect(harness.deleted).toEqual(['s-0 at 1', 's-1 at 1', 's-2 at 1']);
  });

  it('keeps what is open, pinned, labelled or not exported, and the preview says so', async () => {
    const { harness, sessions } = withSessions(4);
    const { workspace, store } = harness;
    const asked = sessions[0]?.ask('a~1', null);
    if (asked !== undefined) workspace.applyReport(asked.report(1));
    store.write(() => store.pins.add('ada', 's-1', 1));
    const label = { ...new ReportingSession('s-label', harness.now).report() };
    workspace.applyReport({ ...label, labels: { keep: 'legal' } });
    workspace.noteExport('s-2', 1);
    harness.now += 40 * DAY;
    const retention = { days: 30, exportFirst: true as const, keepLabels: ['keep'] };
    expect(workspace.previewRetention(retention)).toMatchObject({
      sessions: [{ id: 's-2' }],
      kept: { open: 1, pinned: 1, labelled: 1, notExported: 1 },
      isPartial: false,
    });
    workspace.updateSettings({ timeouts: {}, retention }, OLGA);
    await harness.pass(MINUTE);
    expect(harness.deleted).toEqual(['s-2 at 1']);
  });

  it('counts an export only up to the event that it reached', () => {
    const { harness, sessions } = withSessions(1);
    harness.workspace.noteExport('s-0', 1);
    harness.workspace.noteExport('unknown', 9);
    const more = sessions[0]?.appendOther();
    if (more !== undefined) harness.workspace.applyReport(more.report(1));
    harness.now += 40 * DAY;
    const { kept } = harness.workspace.previewRetention({ days: 1, exportFirst: true });
    expect(kept.notExported).toBe(1);
  });

  it('works in batches, goes on after a wake, and tries again what failed', async () => {
    const { harness } = withSessions(50);
    harness.now += 40 * DAY;
    harness.unreachable.add('s-3');
    set(harness, { days: 30 });
    await harness.pass(1_000);
    expect(harness.deleted.length).toBeLessThanOrEqual(20);
    harness.wake();
    await harness.pass(5 * MINUTE);
    expect(new Set(harness.deleted).size).toBe(49);
    expect(harness.warned.join()).toContain('could not be deleted');
    harness.unreachable.clear();
    await harness.pass(7 * 60 * MINUTE);
    expect(new Set(harness.deleted).size).toBe(50);
  });
});
