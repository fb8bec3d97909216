/**
 * A bug here would look like this: a person works through the inbox to its end, and an agent is still
 * waiting for an answer to something that was on none of the pages.
 */
import { describe, expect, it } from 'vitest';
import { InboxEntry } from '../../src/protocol/schema/workspace.ts';
import { TellingSession } from './reporting-session.ts';
import { MINUTE, valueOf, wholeInbox, World } from './workspace-harness.ts';

function nameOf(entry: InboxEntry): string {
  return `${entry.sessionId}/${entry.interactionId}`;
}

function manySessions(world: World, count: number): TellingSession[] {
  return Array.from({ length: count }, (_, n) => {
    // Deadlines that often fall together: pages end between equal ones.
    const dueAt = n % 7 === 0 ? null : world.now + (n % 50) * MINUTE;
    const session = new TellingSession(`s-${n}`).ask('call~1', dueAt);
    world.workspace.hear(session.report());
    return session;
  });
}

describe('[INBOX-1] the inbox', () => {
  it('shows what the session told, with the title it has now', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('call~1', world.now + MINUTE, { overdue: true });
    world.workspace.hear(session.report());
    world.workspace.hear(session.rename('Deploy').report(2));
    const page = valueOf(world.workspace.inbox({}));
    expect(page).toEqual({
      interactions: [{ ...session.open.get('call~1'), sessionTitle: 'Deploy' }],
      total: 1,
      now: world.now,
    });
    expect(InboxEntry.safeParse(page.interactions[0]).success).toBe(true);
  });

  it('pages ten thousand sessions, oldest deadline first, none missing and none twice', () => {
    const world = new World();
    manySessions(world, 10_000);
    const found = wholeInbox(world, { limit: 777 });
    expect(new Set(found.map(nameOf)).size).toBe(10_000);
    expect(found).toHaveLength(10_000);
    expect(valueOf(world.workspace.inbox({ limit: 1 })).total).toBe(10_000);
    const deadlines = found.map((entry) => entry.expiresAt ?? Number.POSITIVE_INFINITY);
    expect(deadlines).toEqual(deadlines.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('shows each that stays once, while others come and go between the pages', () => {
    const world = new World();
    const sessions = manySessions(world, 1_000);
    const [leaving, staying] = [sessions.slice(0, 300), sessions.slice(300)];
    let arrived = 0;
    const found = wholeInbox(world, { limit: 50 }, () => {
      for (const session of leaving.splice(0, 20)) {
        world.workspace.hear(session.settle('call~1').report(2));
      }
      const guest = new TellingSession(`guest-${(arrived += 1)}`);
      guest.ask('call~1', world.now + arrived * MINUTE);
      world.workspace.hear(guest.report());
    }).map(nameOf);
    expect(new Set(found).size).toBe(found.length);
    for (const { id } of staying) expect(found).toContain(`${id}/call~1`);
  });

  it('skips nothing that gets more time between the pages', () => {
    const world = new World();
    const sessions = manySessions(world, 200);
    let round = 0;
    const found = wholeInbox(world, { limit: 20 }, () => {
      const session = sessions[(round += 1) * 11];
      if (session === undefined) return;
      world.workspace.hear(
        session.change('call~1', { expiresAt: world.now + MINUTE * 90 }).report(2),
      );
    });
    expect(new Set(found.map(nameOf)).size).toBe(200);
  });

  it('counts the same after it was put to sleep', () => {
    const world = new World();
    const sessions = manySessions(world, 20);
    expect(valueOf(world.workspace.inbox({})).total).toBe(20);
    for (const session of sessions.slice(5))
      world.workspace.hear(session.settle('call~1').report(2));
    expect(valueOf(world.workspace.inbox({})).total).toBe(5);
    world.wake();
    expect(valueOf(world.workspace.inbox({})).total).toBe(5);
  });

  it.each([
    ['one that is no JSON', '{"toolName":'],
    ['one that is no object', '[1]'],
    ['one with fields of another version', JSON.stringify({ toolName: 7, kind: 'K!', more: {} })],
  ])('shows %s with what can be read of it', (_, entry) => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~2', world.now).ask('b~1', world.now + MINUTE);
    world.workspace.hear(session.report());
    const { store } = world;
    store.write(() =>
      store.inbox.put(
        { beyondShare: false, dueAt: world.now, sessionId: 's-1', interactionId: 'a~2' },
        'key_1',
        entry,
      ),
    );
    const [damaged, sound] = wholeInbox(world, { limit: 1 });
    expect(InboxEntry.safeParse(damaged).error).toBeUndefined();
    expect(damaged).toMatchObject({ interactionId: 'a~2', toolCallId: 'a', toolName: 'unknown' });
    expect(sound?.interactionId).toBe('b~1');
  });

  it('keeps the fields that another version did not change', () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now, { kind: 'form' });
    const report = session.report();
    const open = report.open.map((entry) => ({ ...entry, presentation: 'hologram', mood: 'good' }));
    world.workspace.hear({ ...report, open: open as unknown as InboxEntry[] });
    const [entry] = wholeInbox(world);
    expect(entry).toEqual(session.open.get('a~1'));
  });
});
