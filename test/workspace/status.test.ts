/** A bug here looks like a team that answers in a minute and reads that it takes an hour. */
import { describe, expect, it } from 'vitest';
import { COUNTED_AT_ONCE } from '../../src/workspace/answer-times.ts';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, WorkspaceHarness } from './workspace-harness.ts';

/** Requests that were answered after these times, one report each. */
function answered(
  harness: WorkspaceHarness,
  waits: readonly number[],
  how: Parameters<ReportingSession['settle']>[1] = {},
): void {
  const session = new ReportingSession(`s-${(made += 1)}`, harness.now);
  for (const [index, wait] of waits.entries()) {
    const id = `call-${index}~1`;
    const from = index === 0 ? 0 : session.head;
    session.ask(id, null).settle(id, { at: harness.now + wait, ...how });
    harness.workspace.applyReport(session.report(from));
  }
}
let made = 0;

const near = (ms: number) => expect.closeTo(ms, -Math.log10(ms * 0.3));

describe('[TEAM-6] the status of a workspace', () => {
  it('says what waits, since when, and whose agents are connected', async () => {
    const harness = new WorkspaceHarness();
    expect(harness.workspace.openStatus()).toEqual({
      now: harness.now,
      open: 0,
      oldestOpenedAt: null,
    });
    const early = harness.now - 90 * MINUTE;
    const one = new ReportingSession('s-1').ask('a~1', harness.now + MINUTE, { openedAt: early });
    const other = new ReportingSession('s-2').ask('a~1', null);
    harness.workspace.applyReport(one.report());
    harness.workspace.applyReport(other.report());
    harness.connected.set('s-1', ['key_1', 'key_2']).set('s-2', ['key_2']);
    const status = await harness.workspace.status();
    expect(status).toMatchObject({ open: 2, oldestOpenedAt: early });
    expect(status.agents).toEqual({ connected: 2, sessions: 2, isPartial: false });
    harness.unreachable.add('s-1');
    expect((await harness.workspace.status()).agents).toEqual({
      connected: 1,
      sessions: 2,
      isPartial: true,
    });
  });

  it('has the median and the 95th percentile by kind, of the day and the week', async () => {
    const harness = new WorkspaceHarness();
    answered(harness, [...Array.from({ length: 90 }, () => 10_000), ...Array(10).fill(600_000)]);
    answered(harness, [2_000, 2_000, 2_000], { kind: 'question', outcome: 'answered' });
    harness.now += 1_000_000;
    const { answers } = await harness.workspace.status();
    expect(answers?.day.kinds).toEqual([
      { kind: 'approval', count: 100, medianMs: near(10_000), p95Ms: near(600_000) },
      { kind: 'question', count: 3, medianMs: near(2_000), p95Ms: near(2_000) },
    ]);
    expect(answers?.week.kinds[0]).toEqual(answers?.day.kinds[0]);
    expect(answers?.day.points).toHaveLength(24);
    expect(answers?.week.points).toHaveLength(7);
    expect(answers?.week.points.reduce((sum, { count }) => sum + count, 0)).toBe(103);
  });

  it('counts only what a person answered', async () => {
    const harness = new WorkspaceHarness();
    answered(harness, [1_000], { outcome: 'expired', via: 'timeout' });
    answered(harness, [1_000], { outcome: 'denied', via: 'timeout' });
    answered(harness, [1_000], { outcome: 'cancelled' });
    answered(harness, [1_000], { outcome: 'approved', via: 'rule' });
    expect((await harness.workspace.status()).answers?.day.kinds).toEqual([]);
  });

  it('counts each answer once, keeps counts through a wake, and forgets after its time', async () => {
    const harness = new WorkspaceHarness();
    const count = COUNTED_AT_ONCE * 2 + 10;
    answered(harness, Array(count).fill(5_000));
    const total = async () => (await harness.workspace.status()).answers?.week.kinds[0]?.count;
    expect(await total()).toBe(count);
    expect(await total()).toBe(count);
    harness.wake();
    expect(await total()).toBe(count);
    harness.now += 10 * 24 * 60 * MINUTE;
    expect(await total()).toBeUndefined();
    answered(harness, [5_000]);
    expect(await total()).toBe(1);
  });

  it('reads no more than the entries behind the histograms', async () => {
    const harness = new WorkspaceHarness();
    answered(harness, Array(COUNTED_AT_ONCE + 5).fill(5_000));
    const { audit } = harness.store;
    const read: number[] = [];
    const { readFrom } = audit;
    audit.readFrom = (after, limit) => {
      const rows = readFrom.call(audit, after, limit);
      read.push(rows.length);
      return rows;
    };
    await harness.workspace.status();
    // The histograms were written with entry 256.
    expect(read).toEqual([5]);
  });
});
