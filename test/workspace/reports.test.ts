/**
 * A bug here looks like a report that arrives twice, late or after a lost one, and brings a settled interaction back into
 * the inbox, or hides an open one.
 */
import { describe, expect, it } from 'vitest';
import { NO_DEADLINE } from '../../src/workspace/inbox.ts';
import { ReportingSession } from './reporting-session.ts';
import { MINUTE, valueOf, wholeInbox, WorkspaceHarness } from './workspace-harness.ts';

function ids(harness: WorkspaceHarness): string[] {
  return wholeInbox(harness).map((entry) => `${entry.sessionId}/${entry.interactionId}`);
}

describe('a report of a session', () => {
  it('is answered with the known head, and lists the session', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1')
      .rename('Deploy')
      .ask('call~1', harness.now + MINUTE);
    expect(harness.workspace.applyReport(session.report())).toBe(3);
    const { sessions } = valueOf(harness.workspace.sessions({}));
    expect(sessions).toEqual([
      {
        id: 's-1',
        title: 'Deploy',
        createdAt: 1_700_000_000_000,
        head: 3,
        open: 1,
        lastAt: harness.now,
      },
    ]);
  });

  it('[INBOX-1] applied again, changes no row', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('call~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    const before = ids(harness);
    harness.changes = 0;
    expect(harness.workspace.applyReport(session.report())).toBe(session.head);
    expect(harness.workspace.applyReport(session.report(1))).toBe(session.head);
    expect(harness.changes).toBe(0);
    expect(ids(harness)).toEqual(before);
  });

  it('[INBOX-1] arriving late, does not bring a settled interaction back', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('call~1', harness.now + MINUTE);
    const late = session.report();
    session.settle('call~1');
    harness.workspace.applyReport(session.report());
    harness.changes = 0;
    // The session has reported more since, so no caller reads this reply.
    expect(harness.workspace.applyReport(late)).toMatchObject({ head: session.head });
    expect(harness.changes).toBe(0);
    expect(ids(harness)).toEqual([]);
  });

  it('[INBOX-1] after a gap, is not applied, and the reply names the position to report from', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1');
    expect(harness.workspace.applyReport(session.ask('a~1', harness.now).report(1))).toBe(0);
    expect(valueOf(harness.workspace.sessions({})).sessions).toEqual([]);

    harness.workspace.applyReport(session.report());
    session.ask('b~1', harness.now).settle('a~1').ask('c~1', harness.now);
    harness.changes = 0;
    expect(harness.workspace.applyReport(session.report(4))).toBe(2);
    expect(harness.changes).toBe(0);
    expect(ids(harness)).toEqual(['s-1/a~1']);

    expect(harness.workspace.applyReport(session.report(2))).toBe(5);
    expect(ids(harness)).toEqual(['s-1/b~1', 's-1/c~1']);
  });

  it('[INBOX-1] overlapping the known log, equals its new part', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    session.settle('a~1').ask('b~1', harness.now + MINUTE);
    expect(harness.workspace.applyReport(session.report(0))).toBe(4);
    expect(ids(harness)).toEqual(['s-1/b~1']);
    expect(valueOf(harness.workspace.audit({})).entries).toHaveLength(1);
  });

  it('in several stretches, counts each open interaction once', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1');
    for (let n = 1; n <= 10; n += 1) session.ask(`call-${n}~1`, harness.now + n * MINUTE);
    expect(harness.workspace.applyReport(session.report(0, 4))).toBe(4);
    expect(harness.workspace.applyReport(session.report(4, 8))).toBe(8);
    expect(harness.workspace.applyReport(session.report(8))).toBe(11);
    expect(valueOf(harness.workspace.inbox({})).total).toBe(10);
    expect(ids(harness)).toHaveLength(10);
  });

  it('whose transaction fails, leaves nothing behind, and is applied when it comes again', () => {
    const harness = new WorkspaceHarness();
    const first = new ReportingSession('s-1').ask('a~1', harness.now);
    const session = new ReportingSession('s-2')
      .ask('a~1', harness.now)
      .settle('a~1')
      .ask('b~1', harness.now);
    harness.store.audit.append = () => {
      throw new Error('disk full');
    };
    expect(() => harness.workspace.applyReport(session.report())).toThrow('disk full');
    Reflect.deleteProperty(harness.store.audit, 'append');
    expect(valueOf(harness.workspace.inbox({})).total).toBe(0);
    harness.workspace.applyReport(first.report());
    expect(ids(harness)).toEqual(['s-1/a~1']);
    expect(harness.workspace.applyReport(session.report())).toBe(session.head);
    expect(ids(harness)).toEqual(['s-1/a~1', 's-2/b~1']);
    expect(valueOf(harness.workspace.inbox({})).total).toBe(2);
  });

  it('whose transaction fails, leaves a known session as it is stored', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now);
    const known = session.head;
    harness.workspace.applyReport(session.report());
    const stored = harness.store.sessions.find('s-1');
    harness.store.audit.append = () => {
      throw new Error('disk full');
    };
    const later = session.settle('a~1').report(known);
    expect(() => harness.workspace.applyReport(later)).toThrow('disk full');
    Reflect.deleteProperty(harness.store.audit, 'append');
    expect(harness.store.sessions.find('s-1')).toEqual(stored);
    expect(harness.workspace.applyReport(later)).toBe(session.head);
    expect(ids(harness)).toEqual([]);
  });
});

describe('[LOG-9] a deleted session', () => {
  it('leaves the list and the inbox, and its row stays', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now).ask('b~1', null);
    const other = new ReportingSession('s-2').ask('a~1', harness.now);
    harness.workspace.applyReport(session.report());
    harness.workspace.applyReport(other.report());
    const heard = session.head;
    expect(harness.workspace.applyReport(session.remove(harness.now).report(heard))).toBe(
      session.head,
    );
    expect(ids(harness)).toEqual(['s-2/a~1']);
    expect(valueOf(harness.workspace.inbox({})).total).toBe(1);
    expect(valueOf(harness.workspace.sessions({})).sessions.map(({ id }) => id)).toEqual(['s-2']);
    expect(harness.store.sessions.find('s-1')).toMatchObject({
      deletedAt: harness.now,
      head: session.head,
    });
  });

  it('closes all its interactions, also those that the report does not name', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now).ask('b~1', null);
    harness.workspace.applyReport(session.report());
    const head = session.head + 1;
    const erased = { ...session.report(), after: session.head, head, open: [], closed: [] };
    harness.workspace.applyReport({ ...erased, deletedAt: harness.now });
    expect(ids(harness)).toEqual([]);
  });

  it('stays deleted when the rest of its log is reported, and its decisions are kept', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now).ask('b~1', null);
    harness.workspace.applyReport(session.report());
    const heard = session.head;
    session.remove(harness.now);
    expect(harness.workspace.applyReport(session.report(heard, heard + 1))).toBe(heard + 1);
    expect(ids(harness)).toEqual([]);
    expect(harness.workspace.applyReport(session.report(heard + 1))).toBe(session.head);
    expect(ids(harness)).toEqual([]);
    expect(valueOf(harness.workspace.sessions({})).sessions).toEqual([]);
    const { entries } = valueOf(harness.workspace.audit({}));
    expect(entries.map((entry) => entry.interactionId)).toEqual(['b~1', 'a~1']);
  });
});

describe('rows written for a report', () => {
  it('one opened approval: the session and the entry', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1');
    harness.workspace.applyReport(session.report());
    harness.changes = 0;
    harness.workspace.applyReport(session.ask('a~1', harness.now + MINUTE).report(1));
    expect(harness.changes).toBe(2);
  });

  it('its settlement: the session, the entry, and one line of audit', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    harness.changes = 0;
    harness.workspace.applyReport(session.settle('a~1').report(2));
    expect(harness.changes).toBe(3);
  });

  it('a change that the inbox does not show: the session only', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', harness.now + MINUTE);
    harness.workspace.applyReport(session.report());
    harness.changes = 0;
    harness.workspace.applyReport(session.change('a~1', {}).report(2));
    harness.workspace.applyReport(session.rename('New').report(3));
    harness.workspace.applyReport(session.change('a~1', { sessionTitle: 'New' }).report(4));
    expect(harness.changes).toBe(3);
  });

  it('opened and settled between two reports: the session and the audit', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1');
    harness.workspace.applyReport(session.report());
    harness.changes = 0;
    harness.workspace.applyReport(session.ask('a~1', harness.now).settle('a~1').report(1));
    expect(harness.changes).toBe(2);
  });
});

describe('[TIME-3] the deadline orders the inbox', () => {
  it.each([
    ['more time', 5 * MINUTE, 1],
    ['overdue, without a deadline from now on', null, 2],
  ])('%s moves it', (_, expiresAt, place) => {
    const harness = new WorkspaceHarness();
    const at = (ms: number | null) => (ms === null ? null : harness.now + ms);
    const session = new ReportingSession('s-1')
      .ask('a~1', at(MINUTE))
      .ask('b~1', at(2 * MINUTE))
      .ask('c~1', at(9 * MINUTE));
    harness.workspace.applyReport(session.report());
    expect(ids(harness)).toEqual(['s-1/a~1', 's-1/b~1', 's-1/c~1']);
    harness.changes = 0;
    harness.workspace.applyReport(session.change('a~1', { expiresAt: at(expiresAt) }).report(4));
    expect(harness.changes).toBe(3);
    expect(ids(harness).indexOf('s-1/a~1')).toBe(place);
    expect(ids(harness)).toHaveLength(3);
    expect(wholeInbox(harness)[place]?.expiresAt).toBe(at(expiresAt));

    harness.workspace.applyReport(session.settle('a~1').report(5));
    expect(ids(harness)).toEqual(['s-1/b~1', 's-1/c~1']);
  });

  it('an entry without a deadline comes last', () => {
    const harness = new WorkspaceHarness();
    const session = new ReportingSession('s-1').ask('a~1', null).ask('b~1', NO_DEADLINE - 1);
    harness.workspace.applyReport(session.report());
    expect(ids(harness)).toEqual(['s-1/b~1', 's-1/a~1']);
    expect(wholeInbox(harness).map((entry) => entry.expiresAt)).toEqual([NO_DEADLINE - 1, null]);
  });

  it('[INBOX-1] entries without a deadline come in the order of opening', () => {
    const harness = new WorkspaceHarness();
    const one = new ReportingSession('s-2').ask('a~1', null, { openedAt: 1 });
    const two = new ReportingSession('s-1').ask('b~1', null, { openedAt: 2 });
    const due = new ReportingSession('s-3').ask('c~1', NO_DEADLINE - 1, { openedAt: 3 });
    for (const session of [two, due, one]) harness.workspace.applyReport(session.report());
    expect(ids(harness)).toEqual(['s-3/c~1', 's-2/a~1', 's-1/b~1']);
    expect(wholeInbox(harness).map((entry) => entry.expiresAt)).toEqual([
      NO_DEADLINE - 1,
      null,
      null,
    ]);
  });
});
