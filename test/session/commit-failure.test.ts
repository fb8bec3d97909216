/**
 * A failed write. A bug would look like a phantom: a client receives an event that is not in the log, or a later event
 * takes its number; or the session answers from a state that was never written.
 */
import { describe, expect, it } from 'vitest';
import { answer, askApproval, askQuestion } from '../support/asks.ts';
import { MINUTE } from '../support/core-world.ts';
import { sessionAfter, SqliteStorage } from '../support/session-storage.ts';
import { SessionWorld } from '../support/session-world.ts';

const APPROVE = answer('call-1~1', { decision: 'approve' });

function failNext(world: SessionWorld): void {
  world.beforeCommit = () => {
    world.beforeCommit = () => undefined;
    throw new Error('disk full');
  };
}

type World = Awaited<ReturnType<typeof sessionAfter>>;
const FAILURES: readonly [string, (world: World) => void, (world: World) => void][] = [
  ['the store throws', failNext, () => undefined],
  ['the log cannot be written', ({ storage }) => storage.damage('log'), repair],
  ['a record cannot settle', ({ storage }) => storage.damage('meta'), repair],
];

function repair({ storage }: World): void {
  storage.repair();
}

describe.each(FAILURES)('when %s', (_, fail, mend) => {
  it('[LOG-3, LOG-8] the command is refused, nothing is published, and nothing changed', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect();
    const waiter = world.waitFor('call-1~1');
    const { head } = world.workspace;
    const before = {
      log: world.log(),
      state: world.state,
      armed: world.alarm.moves.length,
      record: world.record('call-1~1'),
    };
    world.trace.length = 0;
    fail(world);
    expect(world.handle(APPROVE)).toMatchObject({ ok: false, code: 'write_failed' });
    await world.quiet();
    mend(world);
    expect(world.trace).toEqual([]);
    expect(socket.seqs).toEqual(before.log.map((event) => event.seq));
    expect(waiter).toMatchObject({ texts: [], closed: null });
    expect(world.workspace.head).toBe(head);
    expect({
      log: world.log(),
      state: world.state,
      armed: world.alarm.moves.length,
      record: world.record('call-1~1'),
    }).toEqual(before);
    expect(world.warned).toHaveLength(1);
  });

  it('[LOG-8, LOG-1] the next command works, and no number is given twice', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect();
    const waiter = world.waitFor('call-1~1');
    fail(world);
    world.handle(APPROVE);
    mend(world);
    expect(world.must(APPROVE, { key: 'again-0001' }).replayed).toBe(false);
    expect(world.record('call-1~1').outcome).toBe('approved');
    expect(waiter.last).toMatchObject({ type: 'settled', interaction: { outcome: 'approved' } });
    expect(socket.events).toEqual(world.log());
    world.restart();
    expect(world.record('call-1~1').outcome).toBe('approved');
  });

  it('[API-2] the same key is free to be used again', async () => {
    const world = await sessionAfter(askApproval());
    fail(world);
    expect(world.handle(APPROVE, { key: 'key-00001' })).toMatchObject({ code: 'write_failed' });
    mend(world);
    expect(world.must(APPROVE, { key: 'key-00001' })).toMatchObject({ replayed: false });
    expect(world.must(APPROVE, { key: 'key-00001' })).toMatchObject({ replayed: true });
  });
});

describe('a session whose first write fails', () => {
  it('[LOG-8] does not exist, and can be created', () => {
    const world = new SessionWorld(new SqliteStorage());
    expect(world.state).toBeNull();
    failNext(world);
    expect(world.handle({ type: 'session.create' })).toMatchObject({ code: 'write_failed' });
    expect(world.state).toBeNull();
    expect(world.handle(askQuestion())).toMatchObject({ code: 'not_found' });
    expect(world.must({ type: 'session.create' }).reply).toEqual({ type: 'session' });
    expect(world.log()).toHaveLength(1);
  });
});

describe('an expiry that cannot be written', () => {
  it('[TIME-2, INT-6] refuses the answer that came too late, instead of taking it', async () => {
    const world = await sessionAfter(askApproval());
    world.now += 10 * MINUTE;
    failNext(world);
    expect(world.handle(APPROVE)).toMatchObject({ code: 'write_failed' });
    expect(world.handle(APPROVE)).toMatchObject({
      code: 'already_settled',
      details: { outcome: 'expired' },
    });
  });

  it('[TIME-2, TIME-3] is tried again by the alarm, but not a thousand times a second', async () => {
    const world = await sessionAfter(askApproval());
    world.storage.damage('log');
    await world.fire();
    expect(world.alarm.armedAt).toBe(world.now + 2_000);
    await world.fire();
    expect(world.alarm.armedAt).toBe(world.now + 2_000);
    world.storage.repair();
    await world.fire();
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'expired', settledAt: world.now });
    expect(world.alarm.armedAt).toBeNull();
  });
});

describe('a write that succeeds', () => {
  it('[LOG-3] comes before anything is published', async () => {
    const world = await sessionAfter(askApproval());
    world.connect();
    world.waitFor('call-1~1');
    world.trace.length = 0;
    world.must(APPROVE);
    await world.quiet();
    expect(world.trace).toEqual(['commit', 'send', 'send', 'send', 'close 1000', 'tell']);
    world.trace.length = 0;
    world.must(askQuestion({ toolCallId: 'call-2', timeoutSeconds: 1 }));
    await world.quiet();
    expect(world.trace).toEqual(['commit', 'send', 'arm', 'tell']);
  });
});
