/**
 * The one alarm. A bug would look like an interaction that stays open for days past its deadline because no alarm was
 * armed, or an alarm that moves with every command and costs a write each time.
 */
import { describe, expect, it } from 'vitest';
import { answer, askApproval, askQuestion } from '../support/asks.ts';
import { MINUTE, SECOND, START } from '../support/core-world.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';

const APPROVE = answer('call-1~1', { decision: 'approve' });

describe('what it covers', () => {
  it('[TIME-3, INT-9] nothing is open: none is set', async () => {
    const world = await startedSession();
    expect(world.alarm.armedAt).toBeNull();
  });

  it('[INBOX-1, TIME-3] without a deadline, only for the report to the workspace, and only once', async () => {
    const world = await startedSession();
    world.must(askQuestion({ timeoutSeconds: null }));
    expect(world.alarm.armedAt).toBe(START + 10 * MINUTE);
    world.restart();
    expect(world.workspace.open.size).toBe(0);
    await world.fire();
    expect(world.workspace.open.size).toBe(1);
    expect(world.alarm.armedAt).toBeNull();
  });

  it('[TIME-3, TIME-5] the earliest of deadline, reminder and escalation', async () => {
    const world = await startedSession();
    world.must(askApproval({ timeoutSeconds: 60, remindAfter: 20, escalateAfter: 40 }));
    const armed = [world.alarm.armedAt];
    for (let times = 0; times < 3; times += 1) {
      await world.fire();
      armed.push(world.alarm.armedAt);
    }
    expect(armed).toEqual([START + 20_000, START + 40_000, START + 60_000, null]);
    const changes = world
      .log()
      .flatMap((event) => (event.type === 'interaction_update' ? [event.payload.change] : []));
    expect(changes).toEqual(['reminder', 'escalated']);
    expect(world.record('call-1~1').outcome).toBe('expired');
  });
});

describe('moving it', () => {
  it('[TIME-3] only when it must be earlier', async () => {
    const world = await startedSession();
    world.must(askApproval({ timeoutSeconds: 60 }));
    world.must(askApproval({ toolCallId: 'call-2', timeoutSeconds: 90 }));
    world.must(askApproval({ toolCallId: 'call-3', timeoutSeconds: 60 }));
    expect(world.alarm.moves).toEqual([START + 60 * SECOND]);
    world.must(askApproval({ toolCallId: 'call-4', timeoutSeconds: 30 }));
    expect(world.alarm.moves).toEqual([START + 60 * SECOND, START + 30 * SECOND]);
    world.must(APPROVE);
    world.must({ type: 'interaction.extend', interactionId: 'call-4~1' });
    expect(world.alarm.moves).toHaveLength(2);
  });

  it('[TIME-3, TIME-5] a stale one ends nothing and is armed for the remaining deadlines', async () => {
    const world = await sessionAfter(
      askApproval({ timeoutSeconds: 30 }),
      askApproval({ toolCallId: 'call-2', timeoutSeconds: 60 }),
      APPROVE,
    );
    const { head } = world.workspace;
    await world.fire();
    expect(world.now).toBe(START + 30 * SECOND);
    expect(world.log()).toHaveLength(head);
    expect(world.alarm.armedAt).toBe(START + 60 * SECOND);
    world.must({ type: 'interaction.extend', interactionId: 'call-2~1' });
    await world.fire();
    expect(world.record('call-2~1').status).toBe('open');
    expect(world.alarm.armedAt).toBe(START + 120 * SECOND);
  });
});

describe('after a restart', () => {
  it('[TIME-2, TIME-3, INT-8] the alarm alone ends overdue interactions and releases their waiters', async () => {
    const world = await sessionAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    world.now = START + 3 * 60 * MINUTE;
    world.restart({ alarm: 'lost' });
    expect(world.alarm.armedAt).toBe(world.now + 1);
    await world.fire();
    await world.quiet();
    expect(world.record('call-1~1').outcome).toBe('expired');
    expect(world.workspace.open.size).toBe(0);
    const waiter = world.waitFor('call-2~1');
    expect(waiter.last).toMatchObject({ type: 'settled', interaction: { outcome: 'expired' } });
    expect(waiter.closed).toEqual({ code: 1000, reason: 'settled' });
  });

  it('[INT-8, INT-9] a waiter from before an eviction receives the expiry', async () => {
    const world = await sessionAfter(askApproval());
    const waiter = world.waitFor('call-1~1', { until: START + 60 * MINUTE });
    world.now = START + 20 * MINUTE;
    world.alarm.armedAt = null;
    world.evict();
    expect(waiter.texts).toEqual([]);
    await world.fire();
    expect(waiter.last).toMatchObject({ type: 'settled', interaction: { outcome: 'expired' } });
  });

  it('[TIME-3] a lost alarm is armed again for its time', async () => {
    const world = await sessionAfter(askApproval());
    world.restart({ alarm: 'lost' });
    expect(world.alarm.armedAt).toBe(START + 10 * MINUTE);
  });

  it('[TIME-3] an alarm that is long past and never fired is armed again', async () => {
    const world = await sessionAfter(
      askApproval(),
      askQuestion({ toolCallId: 'call-2', timeoutSeconds: 3_600 }),
    );
    world.now = START + 15 * MINUTE;
    await world.session.wake();
    expect(world.record('call-1~1').outcome).toBe('expired');
    expect(world.alarm.armedAt).toBe(START + 60 * MINUTE);
  });

  it('[TIME-3] an armed alarm is left alone', async () => {
    const world = await sessionAfter(askApproval());
    const moves = world.alarm.moves.length;
    world.restart();
    await world.quiet();
    world.evict();
    expect(world.alarm.moves).toHaveLength(moves);
  });
});

describe('with the workspace out of reach', () => {
  it('[OUT-2] it goes off again and again, later and later, and loses no report', async () => {
    const world = await startedSession();
    world.workspace.isDown = true;
    world.must(askApproval({ timeoutSeconds: null }));
    await world.quiet();
    const waits: number[] = [];
    for (let times = 0; times < 10; times += 1) {
      waits.push((world.alarm.armedAt ?? 0) - world.now);
      await world.fire();
    }
    const seconds = waits.map((wait) => wait / SECOND);
    expect(seconds).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    world.must(APPROVE);
    world.workspace.isDown = false;
    await world.fire();
    expect(world.workspace).toMatchObject({ head: world.log().length });
    expect(world.workspace.audit).toMatchObject([
      { interactionId: 'call-1~1', outcome: 'approved' },
    ]);
    expect(world.alarm.armedAt).toBeNull();
  });

  it('[TIME-2, OUT-2] deadlines are kept all the same', async () => {
    const world = await sessionAfter(askApproval({ timeoutSeconds: 60 }));
    const waiter = world.waitFor('call-1~1', { until: START + 60 * MINUTE });
    world.workspace.isDown = true;
    await world.pass(61 * SECOND);
    expect(waiter.last?.interaction).toMatchObject({ outcome: 'expired' });
    expect(world.record('call-1~1').settledAt).toBe(START + 60 * SECOND);
    world.workspace.isDown = false;
    await world.pass(MINUTE);
    expect(world.workspace.head).toBe(world.log().length);
  });

  it('[OUT-2, TIME-3] after a success the next failure begins with a short wait again', async () => {
    const world = await startedSession();
    world.workspace.isDown = true;
    world.must(askApproval({ timeoutSeconds: null }));
    await world.quiet();
    await world.fire();
    await world.fire();
    world.workspace.isDown = false;
    await world.fire();
    world.workspace.isDown = true;
    world.must(APPROVE);
    await world.quiet();
    expect(world.alarm.armedAt).toBe(world.now + 2 * SECOND);
  });

  it('[TIME-3] a workspace that never answers keeps no deadline from being armed', async () => {
    const world = await sessionAfter(
      askApproval({ timeoutSeconds: 30 }),
      askApproval({ toolCallId: 'call-2', timeoutSeconds: 60 }),
    );
    world.workspace.hold();
    world.now = START + 30 * SECOND;
    world.alarm.armedAt = null;
    const waking = world.session.wake();
    expect(world.alarm.armedAt).toBe(START + 60 * SECOND);
    world.workspace.release();
    await waking;
    world.alarm.armedAt = null;
    world.workspace.hold();
    world.must(askApproval({ toolCallId: 'call-3', timeoutSeconds: null }));
    world.alarm.armedAt = null;
    const stale = world.session.wake();
    expect(world.alarm.armedAt).toBe(START + 60 * SECOND);
    world.workspace.release();
    await stale;
  });

  it('[OUT-2] [TIME-3] a settlement during the report of a poke has an alarm for its own report', async () => {
    const world = await sessionAfter(askApproval({ timeoutSeconds: null }));
    world.must({ type: 'session.update', changes: { title: 'Not told yet' } });
    world.workspace.hold();
    const poked = world.session.poke();
    world.must(APPROVE);
    expect(world.alarm.armedAt).toBe(world.now + 10 * MINUTE);
    world.workspace.release();
    await poked;
  });
});
