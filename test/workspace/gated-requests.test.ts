/**
 * The requests on which a rule is tried. A bug would look like an approval that costs a row more, a rule that is tried on
 * requests of last week, or a deleted session whose commands can still be read.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { GatedRequest } from '../../src/protocol/schema/gated-request.ts';
import { ReportingSession } from './reporting-session.ts';
import { valueOf, WorkspaceHarness } from './workspace-harness.ts';

const LS = { effect: 'deny', toolName: 'Bash', command: 'ls' } as const;

/** Reports the next event of the session as a request of this command. */
function gate(harness: WorkspaceHarness, session: ReportingSession, command = 'ls'): void {
  const after = session.head === 1 ? 0 : session.head;
  const { head: seq } = session.appendOther();
  const input = { command };
  const request: GatedRequest = { seq, at: seq, toolName: 'Bash', outcome: 'asked', input };
  harness.workspace.applyReport({ ...session.report(after), gated: [request] });
}

const tried = (harness: WorkspaceHarness) => valueOf(harness.workspace.tryRule(LS)).tried;

describe('[TEAM-2] requests that passed the gate', () => {
  it('cost no row of their own but one in eight, and are all tried', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('a');
    gate(harness, session);
    harness.changes = 0;
    for (let n = 0; n < 16; n += 1) gate(harness, session);
    // One for the row of the session at each report, and two for the requests.
    expect(harness.changes).toBe(16 + 2);
    expect(tried(harness)).toBe(17);
    harness.wake();
    expect(tried(harness)).toBe(17);
  });

  it('are read newest first over all sessions, and no more than the last of them', () => {
    const harness = new WorkspaceHarness();
    const sessions = ['a', 'b', 'c'].map((id) => new ReportingSession(id));
    for (let n = 0; n < LIMITS.triedRequests / 2; n += 1) {
      for (const session of sessions) gate(harness, session);
    }
    const { tried: count, requests } = valueOf(harness.workspace.tryRule(LS));
    expect(count).toBe(LIMITS.triedRequests);
    const times = requests.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((x, y) => y - x));
    expect(times[0]).toBe(sessions[0]?.head);
  });

  it('are counted once when a report is repeated', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('a').appendOther();
    const request: GatedRequest = { seq: 2, at: 2, toolName: 'Bash', outcome: 'asked', input: {} };
    for (let n = 0; n < 3; n += 1) {
      harness.workspace.applyReport({ ...session.report(), gated: [request] });
      session.appendOther();
    }
    expect(tried(harness)).toBe(1);
  });

  it('in great number in one report stay within the size of a row', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('a');
    const command = 'x'.repeat(LIMITS.triedInputBytes - 50);
    const gated = Array.from({ length: 300 }, (): GatedRequest => {
      const { head: seq } = session.appendOther();
      return { seq, at: seq, toolName: 'Bash', outcome: 'asked', input: { command } };
    });
    harness.workspace.applyReport({ ...session.report(), gated });
    expect(tried(harness)).toBe(300);
    const sizes = harness.store.gatedRequests.list().map(({ entry }) => entry.length);
    expect(Math.max(...sizes)).toBeLessThan(16_384);
  });

  it('of a deleted session are forgotten', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('a');
    for (let n = 0; n < 12; n += 1) gate(harness, session);
    const after = session.head;
    harness.workspace.applyReport(session.remove(harness.now).report(after));
    expect(tried(harness)).toBe(0);
    expect(harness.store.sessions.find('a')?.gated).toBe('[]');
    expect(harness.store.gatedRequests.list()).toEqual([]);
  });
});
