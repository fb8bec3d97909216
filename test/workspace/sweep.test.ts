/**
 * A bug here would look like this: a session loses its alarm, nobody looks, and a question stays open
 * for days after its deadline; or the alarm of the workspace itself stops after one failure.
 */
import { describe, expect, it } from 'vitest';
import { TellingSession } from './reporting-session.ts';
import { MINUTE, World } from './workspace-harness.ts';

const GRACE = 2 * MINUTE;

/** Sessions that slept through their deadline, which was this long ago. */
function overdue(world: World, count: number, agoMs = GRACE): TellingSession[] {
  return Array.from({ length: count }, (_, n) => {
    const session = new TellingSession(`s-${String(n).padStart(4, '0')}`);
    world.workspace.hear(session.ask('a~1', world.now - agoMs).report());
    return session;
  });
}

describe('[TIME-3] the sweep', () => {
  it('pokes a session whose deadline passed two minutes ago, and none before', async () => {
    const world = new World();
    const session = new TellingSession('s-1').ask('a~1', world.now + MINUTE);
    world.workspace.hear(session.report());
    expect(world.armedAt).toBe(world.now + MINUTE + GRACE);
    await world.pass(MINUTE + GRACE - 1);
    expect(world.poked).toEqual([]);
    await world.pass(1);
    expect(world.poked).toEqual(['s-1']);
  });

  it('pokes a session once a round, however much it has overdue', async () => {
    const world = new World();
    const session = new TellingSession('s-1');
    for (let n = 0; n < 64; n += 1) session.ask(`call-${n}~1`, world.now - GRACE);
    world.workspace.hear(session.report());
    await world.ring();
    expect(world.poked).toEqual(['s-1']);
    expect(world.armedAt).toBe(world.now + GRACE);
    await world.pass(GRACE);
    expect(world.poked).toEqual(['s-1', 's-1']);
  });

  it('has nothing more to do when the session tells that it is settled', async () => {
    const world = new World();
    const [session] = overdue(world, 1);
    world.onPoke = () => {
      if (session !== undefined) world.workspace.hear(session.settle('a~1').report(2));
    };
    await world.ring();
    expect(world.armedAt).toBe(null);
    await world.ring();
    expect(world.poked).toEqual(['s-0000']);
  });

  it('goes on when one session is out of reach, and comes back to it', async () => {
    const world = new World();
    const sessions = overdue(world, 3);
    world.unreachable.add('s-0001');
    world.onPoke = (id) => {
      const session = sessions.find((one) => one.id === id);
      if (session !== undefined) world.workspace.hear(session.settle('a~1').report(2));
    };
    await world.ring();
    expect(world.poked).toEqual(['s-0000', 's-0001', 's-0002']);
    expect(world.warned).toHaveLength(1);
    world.unreachable.clear();
    await world.pass(GRACE);
    expect(world.poked.slice(3)).toEqual(['s-0001']);
  });

  it('takes fifty sessions a round, and reaches all though none of them ever answers', async () => {
    const world = new World();
    const sessions = overdue(world, 120);
    for (const { id } of sessions) world.unreachable.add(id);
    await world.ring();
    expect(world.poked).toHaveLength(50);
    world.wake();
    await world.pass(20_000);
    expect(world.poked).toHaveLength(120);
    expect(new Set(world.poked).size).toBe(120);
    await world.pass(GRACE);
    expect(world.poked.slice(120)).toEqual(sessions.slice(0, 50).map(({ id }) => id));
  });

  it('running it twice changes nothing: within two minutes nobody is poked again', async () => {
    const world = new World();
    overdue(world, 2);
    await world.ring();
    world.now += 1_000;
    world.changes = 0;
    await world.ring();
    await world.ring();
    expect(world.poked).toHaveLength(2);
    expect(world.changes).toBe(0);
  });

  it('is not hurried by reports that come in during a round and after it', async () => {
    const world = new World();
    overdue(world, 1);
    world.unreachable.add('s-0000');
    world.onPoke = () => undefined;
    await world.ring();
    const next = world.armedAt;
    world.now += 1_000;
    world.workspace.hear(new TellingSession('s-9').ask('a~1', world.now + 10 * MINUTE).report());
    expect(world.armedAt).toBe(next);
    world.wake();
    expect(world.armedAt).toBe(next);
  });

  it('does nothing for an interaction without a deadline', async () => {
    const world = new World();
    world.workspace.hear(new TellingSession('s-1').ask('a~1', null).report());
    await world.pass(365 * 24 * 60 * MINUTE);
    expect(world.poked).toEqual([]);
    expect(world.armedAt).toBe(null);
  });
});

describe('[TIME-3] the one alarm', () => {
  it('takes a first look ten minutes after a session began, so that opening does not move it', () => {
    const world = new World();
    const session = new TellingSession('s-1');
    world.workspace.hear(session.report());
    expect(world.armed).toEqual([world.now + 10 * MINUTE]);
    world.now += 5_000;
    world.workspace.hear(session.ask('a~1', world.now + 10 * MINUTE).report(1));
    world.workspace.hear(new TellingSession('s-2').report());
    expect(world.armed).toHaveLength(1);
  });

  it('moves only when the earliest deadline gets earlier', async () => {
    const world = new World();
    const start = world.now;
    const session = new TellingSession('s-1').ask('a~1', start + 5 * MINUTE);
    world.workspace.hear(session.report());
    world.workspace.hear(session.ask('b~1', start + 8 * MINUTE).report(2));
    world.workspace.hear(session.ask('c~1', start + 3 * MINUTE).report(3));
    world.workspace.hear(session.settle('c~1').report(4));
    expect(world.armed).toEqual([start + 7 * MINUTE, start + 5 * MINUTE]);
    await world.pass(5 * MINUTE);
    expect(world.poked).toEqual([]);
    expect(world.armedAt).toBe(start + 7 * MINUTE);
  });

  it('is set again on wake when it was lost', () => {
    const world = new World();
    overdue(world, 1, -MINUTE);
    for (const lost of [null, world.now - GRACE]) {
      world.armedAt = lost;
      world.wake();
      expect(world.armedAt).toBe(world.now + MINUTE + GRACE);
    }
    world.now += 3 * MINUTE;
    world.armedAt = null;
    world.wake();
    expect(world.armedAt).toBe(world.now + 1);
  });

  it('is left alone on wake when it is just going off', () => {
    const world = new World();
    overdue(world, 1, -MINUTE);
    const moves = world.armed.length;
    world.now += 3 * MINUTE + 50;
    world.wake();
    expect(world.armed).toHaveLength(moves);
  });

  it.each([
    ['inbox', 'overdue'],
    ['revocations', 'unconfirmed'],
    ['revocations', 'removeExpired'],
    ['inbox', 'earliestDue'],
  ] as const)('never throws, and comes back, when %s.%s fails', async (table, broken) => {
    const world = new World();
    const [session] = overdue(world, 1);
    Object.assign(world.store[table], {
      [broken]() {
        throw new Error('storage failed');
      },
    });
    await world.ring();
    expect(world.warned.length).toBeGreaterThan(0);
    expect(world.armedAt).not.toBe(null);
    Reflect.deleteProperty(world.store[table], broken);
    world.onPoke = () => {
      if (session?.open.has('a~1') === true) world.workspace.hear(session.settle('a~1').report(2));
    };
    await world.pass(GRACE);
    expect(world.poked.length).toBeGreaterThan(0);
    expect(world.armedAt).toBe(null);
  });
});
