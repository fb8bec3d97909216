/**
 * A bug here looks like a person who works through the whole inbox, while an agent waits for an interaction that was on
 * no page.
 */
import { describe, expect, it } from 'vitest';
import { InboxEntry } from '../../src/protocol/schema/workspace.ts';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, valueOf, wholeInbox, WorkspaceHarness } from './workspace-harness.ts';
import { inLongRun } from '../support/run-length.ts';

function nameOf(entry: InboxEntry): string {
  return `${entry.sessionId}/${entry.interactionId}`;
}

function manySessions(harness: WorkspaceHarness, count: number): ReportingSession[] {
  return Array.from({ length: count }, (_, n) => {
    // Deadlines that often fall together: pages end between equal ones.
    const dueAt = n % 7 === 0 ? null : harness.now + (n % 50) * MINUTE;
    const session = new ReportingSession(`s-${n}`).ask('call~1', dueAt);
    harness.workspace.applyReport(session.report());
    return session;
  });
}

describe('[INBOX-1] the inbox', () => {
  it('shows the reported entry, with the present title of the session', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('call~1', harness.now + MINUTE, {
      overdue: true,
    });
    harness.workspace.applyReport(session.report());
    harness.workspace.applyReport(session.rename('Deploy').report(2));
    const page = valueOf(harness.workspace.inbox({}));
    expect(page).toEqual({
      interactions: [{ ...session.open.get('call~1'), sessionTitle: 'Deploy' }],
      total: 1,
      now: harness.now,
    });
    expect(InboxEntry.safeParse(page.interactions[0]).success).toBe(true);
  });

  it('shows who has approved, who looks, and who may not, on every page as in a change', () => {
    const harness = new WorkspaceHarness();
    const ada = { subject: 'ada', via: 'web', credential: 'c', key: 'k' } as const;
    const session = new ReportingSession('s-1').ask('call~1', harness.now + MINUTE, {
      quorum: { approvals: 2, of: { groups: ['ops'] } },
      notRequester: true,
      votes: [
        {
          by: ada,
          at: harness.now,
          decision: { decision: 'approve' },
          authorizedDigest: 'a'.repeat(64),
          effectDigest: 'b'.repeat(64),
        },
      ],
      claim: { by: ada, until: harness.now + MINUTE },
    });
    harness.workspace.applyReport(session.report());
    const [entry] = wholeInbox(harness);
    expect(entry).toEqual(session.open.get('call~1'));
    expect(InboxEntry.safeParse(entry).error).toBeUndefined();
  });

  inLongRun(() => {
    it('pages ten thousand sessions, oldest deadline first, none missing and none twice', () => {
      const harness = new WorkspaceHarness();
      manySessions(harness, 10_000);
      const found = wholeInbox(harness, { limit: 777 });
      expect(new Set(found.map(nameOf)).size).toBe(10_000);
      expect(found).toHaveLength(10_000);
      expect(valueOf(harness.workspace.inbox({ limit: 1 })).total).toBe(10_000);
      const deadlines = found.map((entry) => entry.expiresAt ?? Number.POSITIVE_INFINITY);
      expect(deadlines).toEqual(deadlines.toSorted((a, b) => (a < b ? -1 : 1)));
    });
  });

  it('shows each lasting entry once, while others open and settle between the pages', () => {
    const harness = new WorkspaceHarness();
    const sessions = manySessions(harness, 1_000);
    const [leaving, staying] = [sessions.slice(0, 300), sessions.slice(300)];
    let arrived = 0;
    const found = wholeInbox(harness, { limit: 50 }, () => {
      for (const session of leaving.splice(0, 20)) {
        harness.workspace.applyReport(session.settle('call~1').report(2));
      }
      const guest = new ReportingSession(`guest-${(arrived += 1)}`);
      guest.ask('call~1', harness.now + arrived * MINUTE);
      harness.workspace.applyReport(guest.report());
    }).map(nameOf);
    expect(new Set(found).size).toBe(found.length);
    for (const { id } of staying) expect(found).toContain(`${id}/call~1`);
  });

  it('skips no entry that gets more time between the pages', () => {
    const harness = new WorkspaceHarness();
    const sessions = manySessions(harness, 200);
    let round = 0;
    const found = wholeInbox(harness, { limit: 20 }, () => {
      const session = sessions[(round += 1) * 11];
      if (session === undefined) return;
      harness.workspace.applyReport(
        session.change('call~1', { expiresAt: harness.now + MINUTE * 90 }).report(2),
      );
    });
    expect(new Set(found.map(nameOf)).size).toBe(200);
  });

  it('has the same total after hibernation', () => {
    const harness = new WorkspaceHarness();
    const sessions = manySessions(harness, 20);
    expect(valueOf(harness.workspace.inbox({})).total).toBe(20);
    for (const session of sessions.slice(5))
      harness.workspace.applyReport(session.settle('call~1').report(2));
    expect(valueOf(harness.workspace.inbox({})).total).toBe(5);
    harness.wake();
    expect(valueOf(harness.workspace.inbox({})).total).toBe(5);
  });

  it.each([
    ['one that is no JSON', '{"toolName":'],
    ['one that is no object', '[1]'],
    ['one with fields of another version', JSON.stringify({ toolName: 7, kind: 'K!', more: {} })],
  ])('shows %s with its readable fields', (_, entry) => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1')
      .ask('a~2', harness.now)
      .ask('b~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    const { store } = harness;
    store.write(() =>
      store.inbox.put(
        { beyondShare: false, dueAt: harness.now, sessionId: 's-1', interactionId: 'a~2' },
        'key_1',
        entry,
      ),
    );
    const [damaged, sound] = wholeInbox(harness, { limit: 1 });
    expect(InboxEntry.safeParse(damaged).error).toBeUndefined();
    expect(damaged).toMatchObject({ interactionId: 'a~2', toolCallId: 'a', toolName: 'unknown' });
    expect(sound?.interactionId).toBe('b~1');
  });

  it('keeps the fields that another version did not change', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now, { kind: 'form' });
    const report = session.report();
    const open = report.open.map((entry) => ({ ...entry, presentation: 'hologram', mood: 'good' }));
    harness.workspace.applyReport({ ...report, open: open as unknown as InboxEntry[] });
    const [entry] = wholeInbox(harness);
    expect(entry).toEqual(session.open.get('a~1'));
  });
});
