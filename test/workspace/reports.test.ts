/**
 * A bug here would look like this: a report that arrives twice, late or after a lost one brings a
 * settled interaction back into the inbox, or hides an open one.
 */
import { describe, expect, it } from 'vitest';
import { NO_DEADLINE } from '../../src/workspace/inbox.ts';
import { TellingSession } from './reporting-session.ts';
import { MINUTE, valueOf, wholeInbox, World } from './workspace-harness.ts';

function ids(world: World): string[] {
  return wholeInbox(world).map((entry) => `${entry.sessionId}/${entry.interactionId}`);
}

describe('hearing what a session tells', () => {
  it('answers with the head it knows now, and lists the session', () => {
    const world = new World();
    const session = new TellingSession('s-1').rename('Deploy').ask('call~1', world.now + MINUTE);
    expect(world.workspace.hear(session.report())).toBe(3);
    const { sessions } = valueOf(world.workspace.sessions({}));
    expect(sessions).toEqual([
      { id: 's-1', title: 'Deploy', createdAt: 1_700_000_000_000, head: 3, open: 1 },
    ]);
  });

  it('[INBOX-1] a report heard again changes no row', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('call~1', world.now + MINUTE);
    world.workspace.hear(session.report());
    const before = ids(world);
    world.changes = 0;
    expect(world.workspace.hear(session.report())).toBe(session.head);
    expect(world.workspace.hear(session.report(1))).toBe(session.head);
    expect(world.changes).toBe(0);
    expect(ids(world)).toEqual(before);
  });

  it('[INBOX-1] an old report that arrives late does not bring a settled interaction back', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('call~1', world.now + MINUTE);
    const late = session.report();
    session.settle('call~1');
    world.workspace.hear(session.report());
    world.changes = 0;
    // Whoever sent it has told more since, so nobody takes this answer.
    expect(world.workspace.hear(late)).toMatchObject({ head: session.head });
    expect(world.changes).toBe(0);
    expect(ids(world)).toEqual([]);
  });

  it('[INBOX-1] a report with a gap before it is not taken, and says where to tell from', () => {
    const world = new World();
    const session = new TellingSession('s-1');
    expect(world.workspace.hear(session.ask('a~1', world.now).report(1))).toBe(0);
    expect(valueOf(world.workspace.sessions({})).sessions).toEqual([]);

    world.workspace.hear(session.report());
    session.ask('b~1', world.now).settle('a~1').ask('c~1', world.now);
    world.changes = 0;
    expect(world.workspace.hear(session.report(4))).toBe(2);
    expect(world.changes).toBe(0);
    expect(ids(world)).toEqual(['s-1/a~1']);

    expect(world.workspace.hear(session.report(2))).toBe(5);
    expect(ids(world)).toEqual(['s-1/b~1', 's-1/c~1']);
  });

  it('[INBOX-1] a report that overlaps what is known is the same as the new part of it', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now + MINUTE);
    world.workspace.hear(session.report());
    session.settle('a~1').ask('b~1', world.now + MINUTE);
    expect(world.workspace.hear(session.report(0))).toBe(4);
    expect(ids(world)).toEqual(['s-1/b~1']);
    expect(valueOf(world.workspace.audit({})).entries).toHaveLength(1);
  });

  it('a log told in several stretches counts what is open once', () => {
    const world = new World();
    const session = new TellingSession('s-1');
    for (let n = 1; n <= 10; n += 1) session.ask(`call-${n}~1`, world.now + n * MINUTE);
    expect(world.workspace.hear(session.report(0, 4))).toBe(4);
    expect(world.workspace.hear(session.report(4, 8))).toBe(8);
    expect(world.workspace.hear(session.report(8))).toBe(11);
    expect(valueOf(world.workspace.inbox({})).total).toBe(10);
    expect(ids(world)).toHaveLength(10);
  });

  it('a transaction that fails leaves nothing behind, and the same report is taken afterwards', () => {
    const world = new World();
    const first = new TellingSession('s-1').ask('a~1', world.now);
    const session = new TellingSession('s-2')
      .ask('a~1', world.now)
      .settle('a~1')
      .ask('b~1', world.now);
    world.store.audit.add = () => {
      throw new Error('disk full');
    };
    expect(() => world.workspace.hear(session.report())).toThrow('disk full');
    Reflect.deleteProperty(world.store.audit, 'add');
    expect(valueOf(world.workspace.inbox({})).total).toBe(0);
    world.workspace.hear(first.report());
    expect(ids(world)).toEqual(['s-1/a~1']);
    expect(world.workspace.hear(session.report())).toBe(session.head);
    expect(ids(world)).toEqual(['s-1/a~1', 's-2/b~1']);
    expect(valueOf(world.workspace.inbox({})).total).toBe(2);
  });
});

describe('[LOG-9] a deleted session', () => {
  it('leaves the list and the inbox, and its row stays', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now).ask('b~1', null);
    const other = new TellingSession('s-2').ask('a~1', world.now);
    world.workspace.hear(session.report());
    world.workspace.hear(other.report());
    const heard = session.head;
    expect(world.workspace.hear(session.remove(world.now).report(heard))).toBe(session.head);
    expect(ids(world)).toEqual(['s-2/a~1']);
    expect(valueOf(world.workspace.inbox({})).total).toBe(1);
    expect(valueOf(world.workspace.sessions({})).sessions.map(({ id }) => id)).toEqual(['s-2']);
    expect(world.store.sessions.find('s-1')).toMatchObject({
      deletedAt: world.now,
      head: session.head,
    });
  });

  it('takes everything it had open, also what the report does not name', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now).ask('b~1', null);
    world.workspace.hear(session.report());
    const head = session.head + 1;
    const erased = { ...session.report(), after: session.head, head, open: [], closed: [] };
    world.workspace.hear({ ...erased, deletedAt: world.now });
    expect(ids(world)).toEqual([]);
  });

  it('stays deleted when the rest of its log is told, and its decisions are kept', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now).ask('b~1', null);
    world.workspace.hear(session.report());
    const heard = session.head;
    session.remove(world.now);
    expect(world.workspace.hear(session.report(heard, heard + 1))).toBe(heard + 1);
    expect(ids(world)).toEqual([]);
    expect(world.workspace.hear(session.report(heard + 1))).toBe(session.head);
    expect(ids(world)).toEqual([]);
    expect(valueOf(world.workspace.sessions({})).sessions).toEqual([]);
    const { entries } = valueOf(world.workspace.audit({}));
    expect(entries.map((entry) => entry.interactionId)).toEqual(['b~1', 'a~1']);
  });
});

describe('rows written for a report', () => {
  it('one opened approval: the session and the entry', () => {
    const world = new World();
    const session = new TellingSession('s-1');
    world.workspace.hear(session.report());
    world.changes = 0;
    world.workspace.hear(session.ask('a~1', world.now + MINUTE).report(1));
    expect(world.changes).toBe(2);
  });

  it('its settlement: the session, the entry, and one line of audit', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now + MINUTE);
    world.workspace.hear(session.report());
    world.changes = 0;
    world.workspace.hear(session.settle('a~1').report(2));
    expect(world.changes).toBe(3);
  });

  it('a change that the inbox does not show: the session only', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now + MINUTE);
    world.workspace.hear(session.report());
    world.changes = 0;
    world.workspace.hear(session.change('a~1', {}).report(2));
    world.workspace.hear(session.rename('New').report(3));
    world.workspace.hear(session.change('a~1', { sessionTitle: 'New' }).report(4));
    expect(world.changes).toBe(3);
  });

  it('opened and settled between two reports: the session and the audit', () => {
    const world = new World();
    const session = new TellingSession('s-1');
    world.workspace.hear(session.report());
    world.changes = 0;
    world.workspace.hear(session.ask('a~1', world.now).settle('a~1').report(1));
    expect(world.changes).toBe(2);
  });
});

describe('[TIME-3] the deadline says where an entry stands', () => {
  it.each([
    ['more time', 5 * MINUTE, 1],
    ['overdue, without a deadline from now on', null, 2],
  ])('%s moves it', (_, expiresAt, place) => {
    const world = new World();
    const at = (ms: number | null) => (ms === null ? null : world.now + ms);
    const session = new TellingSession('s-1')
      .ask('a~1', at(MINUTE))
      .ask('b~1', at(2 * MINUTE))
      .ask('c~1', at(9 * MINUTE));
    world.workspace.hear(session.report());
    expect(ids(world)).toEqual(['s-1/a~1', 's-1/b~1', 's-1/c~1']);
    world.changes = 0;
    world.workspace.hear(session.change('a~1', { expiresAt: at(expiresAt) }).report(4));
    expect(world.changes).toBe(3);
    expect(ids(world).indexOf('s-1/a~1')).toBe(place);
    expect(ids(world)).toHaveLength(3);
    expect(wholeInbox(world)[place]?.expiresAt).toBe(at(expiresAt));

    world.workspace.hear(session.settle('a~1').report(5));
    expect(ids(world)).toEqual(['s-1/b~1', 's-1/c~1']);
  });

  it('an entry without a deadline stands behind all others', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', null).ask('b~1', NO_DEADLINE - 1);
    world.workspace.hear(session.report());
    expect(ids(world)).toEqual(['s-1/b~1', 's-1/a~1']);
    expect(wholeInbox(world).map((entry) => entry.expiresAt)).toEqual([NO_DEADLINE - 1, null]);
  });

  it('[INBOX-1] entries without a deadline stand in the order in which they were asked', () => {
    const world = new World();
    const one = new TellingSession('s-2').ask('a~1', null, { openedAt: 1 });
    const two = new TellingSession('s-1').ask('b~1', null, { openedAt: 2 });
    const due = new TellingSession('s-3').ask('c~1', NO_DEADLINE - 1, { openedAt: 3 });
    for (const session of [two, due, one]) world.workspace.hear(session.report());
    expect(ids(world)).toEqual(['s-3/c~1', 's-2/a~1', 's-1/b~1']);
    expect(wholeInbox(world).map((entry) => entry.expiresAt)).toEqual([
      NO_DEADLINE - 1,
      null,
      null,
    ]);
  });
});
