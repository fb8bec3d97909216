/**
 * The first seconds of a wait, in the call that joined. A bug would look like an agent that receives nothing at the
 * moment at which its wait moves to a connection, like an outcome that counts as delivered to a client that has gone,
 * or like a waiter that stays in the count, or a timer that keeps the session in memory.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { Command } from '../../src/protocol/schema/command.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { openAndJoin } from '../../src/session/join.ts';
import { readInteraction } from '../../src/session/queries.ts';
import { MOVE_MS, WAIT_IN_CALL_MS } from '../../src/session/pending-calls.ts';
import { answer, askApproval } from '../support/asks.ts';
import { agent, person } from '../support/callers.ts';
import { MINUTE, SECOND } from '../support/core-world.ts';
import { microtasks } from '../support/hand-queue.ts';
import { CallsOfWorld, type Pending } from '../support/pending-calls.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';

const APPROVE = answer('call-1~1', { decision: 'approve' });
const RECORD = 'call-1~1';
const NOTHING = { timers: 0, sockets: 0 };

const open: CallsOfWorld[] = [];

async function asked(...commands: Command[]): Promise<CallsOfWorld> {
  const calls = new CallsOfWorld(await sessionAfter(askApproval(), ...commands));
  open.push(calls);
  return calls;
}

afterEach(() => {
  for (const calls of open.splice(0)) {
    const { timers, sockets } = calls.left();
    if (timers + sockets > 0) throw new Error(`${timers} timers and ${sockets} sockets are left`);
  }
});

describe('a wait that begins with its interaction', () => {
  it('[INT-9] is answered by its call until its time is over', async () => {
    for (const ms of [0, 1, WAIT_IN_CALL_MS - 100]) {
      const calls = await asked();
      const { world } = calls;
      const pending = await calls.wait();
      await calls.pass(ms);
      expect(pending.end).toBeUndefined();
      world.must(APPROVE);
      await microtasks();
      expect(pending.end).toMatchObject({ type: 'settled', interaction: { outcome: 'approved' } });
      expect(world.record(RECORD).deliveredAt).toBe(world.now);
    }
  });

  it('[INT-9, INT-16] moves to a connection after two seconds, and is answered there', async () => {
    for (const later of [0, 100, 10 * SECOND]) {
      const calls = await asked();
      const { world } = calls;
      const pending = await calls.wait();
      await calls.pass(WAIT_IN_CALL_MS);
      expect(pending).toMatchObject({ end: undefined, isMoving: true });
      calls.connect(pending);
      expect(pending.end).toMatchObject({ texts: [], closed: null });
      expect(calls.timers.size, 'that keep the session in memory').toBe(0);
      await calls.pass(later);
      world.must(APPROVE);
      expect(pending.end).toMatchObject({
        last: { type: 'settled', interaction: { outcome: 'approved', deliveredAt: world.now } },
        closed: { code: 1000 },
      });
    }
  });

  it('[INT-9] is counted once, and listed as a waiting agent, before and after the move', async () => {
    const calls = await asked();
    const { world } = calls;
    const isWaiting = () => {
      const read = readInteraction(world.session, RECORD, person());
      return read.ok && read.value.agentWaiting;
    };
    const pending = await calls.wait();
    expect([world.sockets.length, isWaiting()]).toEqual([1, true]);
    await calls.pass(WAIT_IN_CALL_MS);
    expect([world.sockets.length, isWaiting()], 'on its way').toEqual([1, true]);
    calls.connect(pending);
    expect([world.sockets.length, isWaiting()]).toEqual([1, true]);
    world.must(APPROVE);
  });

  it('[INT-8, INT-16] has an outcome that comes on the way to its connection', async () => {
    const calls = await asked();
    const { world } = calls;
    const pending = await calls.wait();
    await calls.pass(WAIT_IN_CALL_MS);
    world.must(APPROVE);
    expect(world.record(RECORD).deliveredAt).toBe(world.now);
    await calls.pass(MOVE_MS - 1);
    calls.connect(pending);
    expect(pending.end).toMatchObject({ type: 'settled', interaction: { outcome: 'approved' } });
  });

  it('[INT-16] waits no more if its connection does not come', async () => {
    const calls = await asked();
    const pending = await calls.wait();
    await calls.pass(WAIT_IN_CALL_MS);
    await calls.pass(MOVE_MS);
    expect(calls.left()).toEqual(NOTHING);
    calls.world.must(APPROVE);
    expect(calls.world.record(RECORD)).not.toHaveProperty('deliveredAt');
    expect(calls.isThere(pending), 'so that the connection joins anew').toBe(false);
  });

  it('[AUTH-7] has the end of its credential that comes on the way', async () => {
    const calls = await asked();
    const pending = await calls.wait();
    await calls.pass(WAIT_IN_CALL_MS);
    calls.world.session.subscribers.revoke(agent().credential);
    calls.connect(pending);
    expect(pending.end).toMatchObject({ type: 'error', error: { code: 'unauthenticated' } });
  });

  it('[API-3] that is shorter than two seconds ends with the open record, without a connection', async () => {
    const calls = await asked();
    const pending = await calls.wait(calls.request(SECOND));
    await calls.pass(SECOND - 1);
    expect(pending.end).toBeUndefined();
    await calls.pass(1);
    expect(pending.end).toMatchObject({
      type: 'settled',
      interaction: { status: 'open', agentWaiting: false },
    });
  });
});

describe('a wait that begins later', () => {
  it('[INT-9] gets what is left of the two seconds, however often it is repeated', async () => {
    const calls = await asked();
    const first = await calls.wait(calls.request(SECOND));
    await calls.pass(SECOND);
    expect(first.end).toMatchObject({ interaction: { status: 'open' } });
    const second = await calls.wait();
    await calls.pass(WAIT_IN_CALL_MS - SECOND - 1);
    expect(second.end).toBeUndefined();
    await calls.pass(1);
    expect(second.isMoving).toBe(true);
    const third = await calls.wait();
    expect(third.isMoving, 'at once').toBe(true);
    for (const pending of [second, third]) calls.connect(pending);
    expect(calls.timers.size).toBe(0);
    calls.world.must(APPROVE);
    for (const { end } of [second, third]) expect(end).toMatchObject({ closed: { code: 1000 } });
  });

  it('[INT-8] than the answer receives it at once, without a connection', async () => {
    const calls = await asked(APPROVE);
    await calls.pass(MINUTE);
    const { end } = await calls.wait();
    expect(end).toMatchObject({ type: 'settled', interaction: { outcome: 'approved' } });
    expect(calls.world.record(RECORD).deliveredAt).toBe(calls.world.now);
  });

  it('[INT-8, TIME-2] than the deadline receives the expiry at once', async () => {
    const calls = await asked();
    calls.world.now += 20 * MINUTE;
    expect((await calls.wait()).end).toMatchObject({ interaction: { outcome: 'expired' } });
  });
});

describe('a client that leaves', () => {
  it('[INT-16] counts no longer: the outcome is not delivered to it', async () => {
    for (const ms of [0, WAIT_IN_CALL_MS]) {
      const calls = await asked();
      const { world } = calls;
      const pending = await calls.wait();
      await calls.pass(ms);
      calls.leave(pending);
      expect(calls.left()).toEqual(NOTHING);
      world.must(APPROVE);
      await microtasks();
      expect(pending).toMatchObject({ end: undefined, isMoving: true });
      expect(world.record(RECORD)).not.toHaveProperty('deliveredAt');
      calls.leave(pending);
    }
  });

  it('[INT-16, TIME-2] after the deadline does not receive the expiry', async () => {
    const calls = await asked();
    const { world } = calls;
    const pending = await calls.wait();
    world.now += 20 * MINUTE;
    calls.leave(pending);
    await microtasks();
    expect(world.session.current()?.open.size).toBe(0);
    expect(world.record(RECORD)).not.toHaveProperty('deliveredAt');
  });
});

describe('what ends a pending call', () => {
  it('[AUTH-7] a revocation of its credential, or of one that it was made from', async () => {
    for (const credential of [agent().credential, 'parent']) {
      const calls = await asked();
      const pending = await calls.wait();
      calls.world.session.subscribers.revoke(credential);
      await microtasks();
      expect(pending.end).toMatchObject({ type: 'error', error: { code: 'unauthenticated' } });
      calls.world.must(APPROVE);
      expect(calls.world.record(RECORD)).not.toHaveProperty('deliveredAt');
    }
  });

  it('[API-3] the end of its time; an outcome in that moment is read from the record', async () => {
    const calls = await asked();
    const pending = await calls.wait(calls.request(SECOND));
    calls.world.now += SECOND;
    calls.world.must(APPROVE);
    await microtasks();
    expect(pending.end).toMatchObject({ interaction: { outcome: 'approved' } });
    expect(calls.world.record(RECORD).deliveredAt).toBe(calls.world.now);
  });

  it('[LOG-9, CAN-1] the deletion of its session, with the cancel', async () => {
    const calls = await asked();
    const pending = await calls.wait();
    calls.world.must({ type: 'session.delete' });
    await microtasks();
    expect(pending.end).toMatchObject({ interaction: { outcome: 'cancelled' } });
  });

  it('[INT-14] a changed request for its call', async () => {
    const calls = await asked();
    const pending = await calls.wait();
    calls.world.must(askApproval({}, { input: { command: 'ls' } }));
    await microtasks();
    expect(pending.end).toMatchObject({
      interaction: { outcome: 'superseded', replacedBy: 'call-1~2' },
    });
  });

  it('[CAN-1] a cancel of the agent', async () => {
    const calls = await asked();
    const pending = await calls.wait();
    calls.world.must({ type: 'interaction.cancel', interactionId: RECORD });
    await microtasks();
    expect(pending.end).toMatchObject({ interaction: { outcome: 'cancelled' } });
  });

  it('[INT-8] and none of these: a handover, an event, another outcome', async () => {
    const calls = await asked(askApproval({ toolCallId: 'call-2' }));
    const { world } = calls;
    const pending = await calls.wait();
    world.must({
      type: 'interaction.handover',
      interactionId: RECORD,
      audience: { subjects: ['bo'] },
    });
    world.must({
      type: 'events.append',
      events: [{ type: 'assistant_text', payload: { text: 'Hm' } }],
    });
    world.must(answer('call-2~1', { decision: 'deny' }));
    await microtasks();
    expect(pending.end).toBeUndefined();
    world.must(APPROVE, { caller: person('bo') });
    await microtasks();
    expect(pending.end).toMatchObject({ interaction: { outcome: 'approved' } });
  });
});

describe('a decision that was taken back', () => {
  it('[INT-19] is waited for under the id of the first request, from the age of the second', async () => {
    const calls = await asked();
    const { world } = calls;
    await calls.pass(MINUTE);
    world.must(APPROVE);
    world.must({ type: 'interaction.undo', interactionId: RECORD });
    const pending = await calls.wait();
    await calls.pass(SECOND);
    expect(pending.end).toBeUndefined();
    world.must(answer('call-1~2', { decision: 'deny' }));
    await microtasks();
    expect(pending.end).toMatchObject({
      interaction: { interactionId: 'call-1~2', outcome: 'denied' },
    });
  });
});

describe('many waiters of one record', () => {
  it('[LIM-2, INT-8] are limited as connections are, and all receive the outcome', async () => {
    const calls = await asked();
    const all: Pending[] = [];
    for (let count = 0; count < LIMITS.rootWaits; count += 1) all.push(await calls.wait());
    await expect(calls.wait()).rejects.toThrow('limit_reached');
    if (all[0] !== undefined) calls.leave(all[0]);
    const last = await calls.wait();
    calls.world.must(APPROVE);
    await microtasks();
    for (const { end } of [...all.slice(1), last]) {
      expect(end).toMatchObject({ interaction: { outcome: 'approved' } });
    }
  });
});

describe('an opening that waits', () => {
  it('[INT-8] has its waiter in the commit itself, and its outcome from the call', async () => {
    const calls = new CallsOfWorld(await startedSession());
    const { world } = calls;
    const { attachment } = calls.request();
    if (attachment.role !== 'waiter') throw new Error('No waiter');
    const { until, chain } = attachment;
    const context = { caller: agent(), timeouts: world.timeouts };
    const question = {
      to: 'ask',
      command: askApproval(),
      context,
      until,
      isAgent: true,
      chain,
    } as const;
    const joined = await openAndJoin(world.session, question, (request) =>
      calls.begin('asked', request),
    );
    expect(joined).toMatchObject({ handled: { ok: true }, interactionId: RECORD });
    if (joined.connection === undefined) throw new Error('It does not wait');
    const pending = await calls.follow('asked', joined.connection);
    expect(world.sockets).toHaveLength(1);
    world.must(APPROVE);
    await microtasks();
    expect(pending.end).toMatchObject({ interaction: { deliveredAt: world.now } });
    expect(calls.left()).toEqual(NOTHING);
  });
});

describe('a session that restarts', () => {
  it('[INT-8] loses the pending calls, and answers the next one', async () => {
    const calls = await asked();
    const { world } = calls;
    await calls.wait();
    calls.timers.clear();
    world.restart();
    world.must(APPROVE);
    expect(world.record(RECORD), 'no agent waits').not.toHaveProperty('deliveredAt');
    const next = new CallsOfWorld(world);
    expect((await next.wait()).end).toMatchObject({ interaction: { outcome: 'approved' } });
    expect(next.left()).toEqual(NOTHING);
  });
});
