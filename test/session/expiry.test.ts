/**
 * The deadline itself. A bug would look like an answer that counts after the deadline, a denial before it, or an end
 * written twice because the alarm ran twice.
 */
import { describe, expect, it } from 'vitest';
import {
  answer,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  COLOR,
  SIZES,
} from '../support/asks.ts';
import { agent, person } from '../support/callers.ts';
import { MINUTE, START } from '../support/core-world.ts';
import { sessionAfter } from '../support/session-storage.ts';
import { readInteraction, readSnapshot } from '../../src/session/queries.ts';

const APPROVE = answer('call-1~1', { decision: 'approve' });

describe('the very instant', () => {
  it('[TIME-2, INT-6] just before it, the answer counts', async () => {
    const world = await sessionAfter(askApproval());
    world.now = START + 10 * MINUTE - 1;
    world.must(APPROVE);
    await world.fire();
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'approved',
      settledAt: world.now - 1,
    });
  });

  it('[TIME-2, INT-6] in it, time was first', async () => {
    const world = await sessionAfter(askApproval());
    world.now = START + 10 * MINUTE;
    expect(world.handle(APPROVE)).toMatchObject({
      code: 'already_settled',
      details: {
        outcome: 'expired',
        settledBy: { subject: 'system', via: 'timeout' },
        settledAt: START + 10 * MINUTE,
      },
    });
  });
});

describe('while the alarm is late', () => {
  it('[TIME-2, INT-7] an answer first writes the expiry, then is refused with it', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect();
    const waiter = world.waitFor('call-1~1', { until: START + 60 * MINUTE });
    world.now = START + 11 * MINUTE;
    expect(world.handle(APPROVE)).toMatchObject({ code: 'already_settled' });
    expect(waiter.last?.interaction).toMatchObject({
      outcome: 'expired',
      reply: { behavior: 'deny', message: 'Tool approval timed out after 10 minutes' },
    });
    const last = socket.events.slice(-2).map((event) => event.type);
    expect(last).toEqual(['interaction_response', 'interaction_pending']);
  });

  it('[TIME-2, INT-10] a reader does not find it open', async () => {
    const world = await sessionAfter(askApproval());
    world.now = START + 11 * MINUTE;
    expect(readSnapshot(world.session)).toMatchObject({ value: { open: [], head: 5 } });
    const read = readInteraction(world.session, 'call-1~1', person());
    expect(read).toMatchObject({ value: { outcome: 'expired', settledAt: world.now } });
  });

  it('[TIME-2] a newcomer is welcomed without it and finds the expiry in the log', async () => {
    const world = await sessionAfter(askApproval());
    world.now = START + 11 * MINUTE;
    const socket = world.connect();
    expect(socket.frames[0]).toMatchObject({ type: 'welcome', open: [], head: 5 });
    expect(socket.seqs).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('the alarm', () => {
  it('[TIME-3] run twice changes nothing', async () => {
    const world = await sessionAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    await world.fire();
    const log = world.log();
    expect(log.filter((event) => event.type === 'interaction_response')).toHaveLength(2);
    await world.session.wake();
    await world.session.wake();
    await world.quiet();
    expect(world.log()).toEqual(log);
    expect(world.alarm.armedAt).toBeNull();
  });

  it('[TIME-2] too early ends nothing', async () => {
    const world = await sessionAfter(askApproval());
    world.now = START + 10 * MINUTE - 1;
    await world.session.wake();
    expect(world.record('call-1~1').status).toBe('open');
    expect(world.alarm.armedAt).toBe(START + 10 * MINUTE);
  });

  it('[TIME-3] ends together what ends at the same time, and leaves the rest', async () => {
    const world = await sessionAfter(
      askApproval({ timeoutSeconds: 5 }),
      askQuestion({ toolCallId: 'call-2', timeoutSeconds: 5 }),
      askPlan({ toolCallId: 'call-3' }),
    );
    await world.fire();
    expect(world.record('call-1~1').outcome).toBe('expired');
    expect(world.record('call-2~1').outcome).toBe('expired');
    expect(world.record('call-3~1').status).toBe('open');
    expect(world.alarm.armedAt).toBe(START + 5 * MINUTE);
  });
});

describe('what the deadline means', () => {
  it('[TIME-6] deny: the agent is denied', async () => {
    const world = await sessionAfter(askPlan({ onExpire: 'deny' }));
    const waiter = world.waitFor('call-1~1', { until: START + 60 * MINUTE });
    await world.fire();
    expect(waiter.last?.interaction).toMatchObject({
      outcome: 'expired',
      reply: { behavior: 'deny', message: 'Plan review timed out' },
    });
  });

  it('[TIME-6] an answer: the agent gets it, and that no person gave it', async () => {
    const onExpire = { answer: { values: { host: 'localhost' } } };
    const world = await sessionAfter(askForm({ onExpire }));
    const waiter = world.waitFor('call-1~1', { until: START + 60 * MINUTE });
    await world.fire();
    expect(waiter.last?.interaction).toMatchObject({
      outcome: 'answered',
      defaulted: true,
      values: { host: 'localhost' },
      settledBy: { subject: 'system', via: 'timeout' },
      reply: { behavior: 'allow' },
    });
  });

  it('[TIME-6] keep: it stays open, marked once, and can still be answered after a restart', async () => {
    const world = await sessionAfter(askApproval({ onExpire: 'keep' }));
    const waiter = world.waitFor('call-1~1', { until: START + 60 * MINUTE });
    await world.fire();
    const { head } = world.workspace;
    expect(world.record('call-1~1')).toMatchObject({ overdue: true, expiresAt: null });
    expect(world.workspace.open.get('call-1~1')).toMatchObject({ overdue: true, expiresAt: null });
    expect(waiter.closed).toBeNull();
    world.now += 24 * 60 * MINUTE;
    await world.session.wake();
    expect(world.workspace.head).toBe(head);
    world.restart();
    expect(world.alarm.armedAt).toBeNull();
    world.must(APPROVE);
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'approved', overdue: true });
  });
});

describe('a partial answer', () => {
  it('[QST-9, TIME-2] steps taken before the expiry stay in the record', async () => {
    const world = await sessionAfter(
      askQuestion({}, [COLOR, SIZES]),
      answer('call-1~1', { question: 0, option: 1 }),
    );
    await world.fire();
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'expired',
      partialAnswers: { '0': 'Green' },
    });
  });

  it('[PLN-4, TIME-2] a plan that awaits feedback can time out, over a restart', async () => {
    const world = await sessionAfter(askPlan(), answer('call-1~1', { decision: 'adjust' }));
    world.restart();
    expect(world.record('call-1~1').awaitingFeedback).toBe(true);
    await world.fire();
    const read = readInteraction(world.session, 'call-1~1', agent());
    expect(read).toMatchObject({
      value: { outcome: 'expired', reply: { message: 'Plan review timed out' } },
    });
    expect(world.record('call-1~1').awaitingFeedback).toBeUndefined();
  });

  it('[PLN-4, CAN-2] a plan that awaits feedback can be cancelled, and feedback then is too late', async () => {
    const world = await sessionAfter(askPlan(), answer('call-1~1', { decision: 'adjust' }));
    const waiter = world.waitFor('call-1~1');
    world.must({ type: 'interaction.cancel', interactionId: 'call-1~1' }, { caller: person() });
    expect(waiter.last?.interaction).toMatchObject({
      outcome: 'cancelled',
      reply: { behavior: 'deny', message: 'Plan review cancelled' },
    });
    const late = answer('call-1~1', { decision: 'adjust', feedback: 'Smaller' });
    expect(world.handle(late)).toMatchObject({ code: 'already_settled' });
  });
});
