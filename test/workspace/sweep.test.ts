/**
 * A bug here looks like a session that loses its alarm and whose interaction stays open for days after its deadline, or
 * like a workspace whose alarm stops after one failure.
 */
import { describe, expect, it } from 'vitest';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, WorkspaceHarness } from './workspace-harness.ts';

const GRACE = 2 * MINUTE;

/** Sessions that missed their deadline by this long. */
function overdue(harness: WorkspaceHarness, count: number, agoMs = GRACE): ReportingSession[] {
  return Array.from({ length: count }, (_, n) => {
    const session = new ReportingSession(`s-${String(n).padStart(4, '0')}`);
    harness.workspace.applyReport(session.ask('a~1', harness.now - agoMs).report());
    return session;
  });
}

describe('[TIME-3] the sweep', () => {
  it('pokes a session whose deadline passed two minutes ago, and none before', async () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    expect(harness.armedAt).toBe(harness.now + MINUTE + GRACE);
    await harness.pass(MINUTE + GRACE - 1);
    expect(harness.poked).toEqual([]);
    await harness.pass(1);
    expect(harness.poked).toEqual(['s-1']);
  });

  it('pokes a session once a round, however much it has overdue', async () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1');
    for (let n = 0; n < 64; n += 1) session.ask(`call-${n}~1`, harness.now - GRACE);
    harness.workspace.applyReport(session.report());
    await harness.ring();
    expect(harness.poked).toEqual(['s-1']);
    expect(harness.armedAt).toBe(harness.now + GRACE);
    await harness.pass(GRACE);
    expect(harness.poked).toEqual(['s-1', 's-1']);
  });

  it('has no more work when the session reports the settlement', async () => {
    const harness = new WorkspaceHarness();
    const [session] = overdue(harness, 1);
    harness.onPoke = () => {
      if (session !== undefined) harness.workspace.applyReport(session.settle('a~1').report(2));
    };
    await harness.ring();
    expect(harness.armedAt).toBe(null);
    await harness.ring();
    expect(harness.poked).toEqual(['s-0000']);
  });

  it('continues when one session is unreachable, and retries that session', async () => {
    const harness = new WorkspaceHarness();
    const sessions = overdue(harness, 3);
    harness.unreachable.add('s-0001');
    harness.onPoke = (id) => {
      const session = sessions.find((one) => one.id === id);
      if (session !== undefined) harness.workspace.applyReport(session.settle('a~1').report(2));
    };
    await harness.ring();
    expect(harness.poked).toEqual(['s-0000', 's-0001', 's-0002']);
    expect(harness.warned).toHaveLength(1);
    harness.unreachable.clear();
    await harness.pass(GRACE);
    expect(harness.poked.slice(3)).toEqual(['s-0001']);
  });

  it('reaches thousands in one run, eight at once', async () => {
    const harness = new WorkspaceHarness();
    overdue(harness, 2_000);
    let running = 0;
    let most = 0;
    harness.onPoke = async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    };
    await harness.ring();
    expect(new Set(harness.poked).size).toBe(2_000);
    expect(harness.poked).toHaveLength(2_000);
    expect(most).toBe(8);
  });

  it('makes room for the other work of the alarm after five seconds, and goes on a second later', async () => {
    const harness = new WorkspaceHarness();
    overdue(harness, 300);
    const start = harness.now;
    harness.onPoke = () => void (harness.now += 50);
    await harness.ring();
    expect(harness.poked).toHaveLength(100);
    expect(harness.armedAt).toBe(start + 6_000);
    await harness.pass(60_000);
    expect(new Set(harness.poked).size).toBe(300);
  });

  it('stops where most sessions of a round are out of reach, and tries the next ones later', async () => {
    const harness = new WorkspaceHarness();
    const sessions = overdue(harness, 200);
    for (const { id } of sessions.slice(50, 80)) harness.unreachable.add(id);
    const start = harness.now;
    await harness.ring();
    expect(harness.poked).toHaveLength(100);
    expect(harness.armedAt).toBe(start + 10_000);
    await harness.pass(10_000);
    expect(harness.poked).toHaveLength(200);
  });

  it('takes fifty sessions a round, and reaches all though none of them answers', async () => {
    const harness = new WorkspaceHarness();
    const sessions = overdue(harness, 120);
    for (const { id } of sessions) harness.unreachable.add(id);
    await harness.ring();
    expect(harness.poked).toHaveLength(50);
    harness.wake();
    await harness.pass(20_000);
    expect(harness.poked).toHaveLength(120);
    expect(new Set(harness.poked).size).toBe(120);
    await harness.pass(GRACE);
    expect(harness.poked.slice(120)).toEqual(sessions.slice(0, 50).map(({ id }) => id));
  });

  it('running it twice changes nothing: within two minutes no session is poked again', async () => {
    const harness = new WorkspaceHarness();
    overdue(harness, 2);
    await harness.ring();
    harness.now += 1_000;
    harness.changes = 0;
    await harness.ring();
    await harness.ring();
    expect(harness.poked).toHaveLength(2);
    expect(harness.changes).toBe(0);
  });

  it('is not hurried by reports that come in during a round and after it', async () => {
    const harness = new WorkspaceHarness();
    overdue(harness, 1);
    harness.unreachable.add('s-0000');
    harness.onPoke = () => undefined;
    await harness.ring();
    const next = harness.armedAt;
    harness.now += 1_000;
    harness.workspace.applyReport(
      new ReportingSession('s-9').ask('a~1', harness.now + 10 * MINUTE).report(),
    );
    expect(harness.armedAt).toBe(next);
    harness.wake();
    expect(harness.armedAt).toBe(next);
  });

  it('does nothing for an interaction without a deadline', async () => {
    const harness = new WorkspaceHarness();
    harness.workspace.applyReport(new ReportingSession('s-1').ask('a~1', null).report());
    await harness.pass(365 * 24 * 60 * MINUTE);
    expect(harness.poked).toEqual([]);
    expect(harness.armedAt).toBe(null);
  });
});

describe('[TIME-3] the one alarm', () => {
  it('takes a first look ten minutes after a session began, so that opening does not move it', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1');
    harness.workspace.applyReport(session.report());
    expect(harness.armed).toEqual([harness.now + 10 * MINUTE]);
    harness.now += 5_000;
    harness.workspace.applyReport(session.ask('a~1', harness.now + 10 * MINUTE).report(1));
    harness.workspace.applyReport(new ReportingSession('s-2').report());
    expect(harness.armed).toHaveLength(1);
  });

  it('moves only when the earliest deadline gets earlier', async () => {
    const harness = new WorkspaceHarness();
    const start = harness.now;
    const session = new ReportingSession('s-1').ask('a~1', start + 5 * MINUTE);
    harness.workspace.applyReport(session.report());
    harness.workspace.applyReport(session.ask('b~1', start + 8 * MINUTE).report(2));
    harness.workspace.applyReport(session.ask('c~1', start + 3 * MINUTE).report(3));
    harness.workspace.applyReport(session.settle('c~1').report(4));
    expect(harness.armed).toEqual([start + 7 * MINUTE, start + 5 * MINUTE]);
    await harness.pass(5 * MINUTE);
    expect(harness.poked).toEqual([]);
    expect(harness.armedAt).toBe(start + 7 * MINUTE);
  });

  it('is set again on wake when it was lost', () => {
    const harness = new WorkspaceHarness();
    overdue(harness, 1, -MINUTE);
    for (const lost of [null, harness.now - GRACE]) {
      harness.armedAt = lost;
      harness.wake();
      expect(harness.armedAt).toBe(harness.now + MINUTE + GRACE);
    }
    harness.now += 3 * MINUTE;
    harness.armedAt = null;
    harness.wake();
    expect(harness.armedAt).toBe(harness.now + 1);
  });

  it('is set again by the next report when it is minutes overdue', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    const lost = harness.now + MINUTE + GRACE;
    expect(harness.armedAt).toBe(lost);
    harness.now = lost + GRACE - 1;
    harness.workspace.applyReport(session.appendOther().report(2));
    expect(harness.armedAt).toBe(lost);
    harness.now += 1;
    harness.workspace.applyReport(session.appendOther().report(3));
    expect(harness.armedAt).toBe(harness.now + 1);
  });

  it('is set by a report during its work, for a deadline that it opened', async () => {
    const harness = new WorkspaceHarness();
    overdue(harness, 1);
    const session = new ReportingSession('s-9');
    harness.onPoke = () => {
      harness.workspace.applyReport(session.ask('a~1', harness.now + MINUTE).report());
      expect(harness.armedAt).not.toBeNull();
    };
    await harness.ring();
    expect(harness.armedAt).toBeLessThanOrEqual(harness.now + MINUTE + GRACE);
  });

  it('stays unchanged on wake while it is firing', () => {
    const harness = new WorkspaceHarness();
    overdue(harness, 1, -MINUTE);
    const moves = harness.armed.length;
    harness.now += 3 * MINUTE + 50;
    harness.wake();
    expect(harness.armed).toHaveLength(moves);
  });

  it.each([
    ['inbox', 'overdue'],
    ['revocations', 'unconfirmed'],
    ['revocations', 'removeExpired'],
    ['inbox', 'earliestDue'],
  ] as const)('never throws, and comes back, when %s.%s fails', async (table, broken) => {
    const harness = new WorkspaceHarness();
    const [session] = overdue(harness, 1);
    Object.assign(harness.store[table], {
      [broken]() {
        throw new Error('storage failed');
      },
    });
    await harness.ring();
    expect(harness.warned.length).toBeGreaterThan(0);
    expect(harness.armedAt).not.toBe(null);
    Reflect.deleteProperty(harness.store[table], broken);
    harness.onPoke = () => {
      if (session?.open.has('a~1') === true)
        harness.workspace.applyReport(session.settle('a~1').report(2));
    };
    await harness.pass(GRACE);
    expect(harness.poked.length).toBeGreaterThan(0);
    expect(harness.armedAt).toBe(null);
  });
});
