/**
 * An agent that waits for an outcome. A bug would look like an agent that waits on although the answer is there, or a
 * card that says an agent waits when none does.
 */
import { describe, expect, it } from 'vitest';
import { answer, append, askApproval, askQuestion, COLOR } from '../support/asks.ts';
import { admin, agent, person, reader } from '../support/callers.ts';
import { MINUTE, SECOND, START } from '../support/core-world.ts';
import { listInteractions, readInteraction, readSnapshot } from '../../src/session/queries.ts';
import { sessionAfter } from '../support/session-storage.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import type { SessionWorld } from '../support/session-world.ts';

const APPROVE = answer('call-1~1', { decision: 'approve' });

const ENDINGS: readonly [string, Command, string][] = [
  ['approved', APPROVE, 'allow'],
  ['denied', answer('call-1~1', { decision: 'deny' }), 'deny'],
  ['cancelled', { type: 'interaction.cancel', interactionId: 'call-1~1' }, 'deny'],
  ['cancelled', { type: 'session.clear' }, 'deny'],
  ['cancelled', append({ type: 'tool_result', toolCallId: 'call-1', payload: {} }), 'deny'],
  ['superseded', askApproval({}, { input: { command: 'ls' } }), 'deny'],
];

describe('a waiter', () => {
  it.each(ENDINGS)(
    '[INT-8, CAN-3] hears %s before the command returns',
    async (outcome, command, behavior) => {
      const world = await sessionAfter(askApproval());
      const waiters = [
        world.waitFor('call-1~1'),
        world.waitFor('call-1~1', { agent: false, caller: reader() }),
      ];
      world.must(command);
      for (const waiter of waiters) {
        expect(waiter.frames).toMatchObject([
          { type: 'settled', interaction: { outcome, reply: { behavior } } },
        ]);
        expect(waiter.closed).toEqual({ code: 1000, reason: 'settled' });
      }
    },
  );

  it('[INT-8] receives its own interaction only', async () => {
    const world = await sessionAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    const other = world.waitFor('call-2~1');
    world.must(APPROVE);
    expect(other).toMatchObject({ texts: [], closed: null });
  });

  it('[INT-8] receives no step, only the outcome', async () => {
    const world = await sessionAfter(askQuestion({}, [COLOR, COLOR]));
    const waiter = world.waitFor('call-1~1');
    world.must(answer('call-1~1', { question: 0, option: 0 }));
    expect(waiter.texts).toEqual([]);
    world.must(answer('call-1~1', { question: 1, option: 1 }));
    expect(waiter.last?.interaction).toMatchObject({ answers: { '0': 'Red', '1': 'Green' } });
  });

  it('[INT-8] that begins after the answer receives it at once', async () => {
    const world = await sessionAfter(askApproval(), APPROVE);
    const waiter = world.waitFor('call-1~1');
    expect(waiter.frames).toMatchObject([
      { type: 'settled', interaction: { outcome: 'approved', reply: { behavior: 'allow' } } },
    ]);
    expect(waiter.closed).toMatchObject({ code: 1000 });
  });

  it('[INT-8, TIME-2] that begins after the deadline receives the expiry at once, and once', async () => {
    const world = await sessionAfter(askApproval());
    const { push } = world.sockets;
    world.sockets.push = (...sockets) => {
      world.now = START + 10 * MINUTE;
      return push.apply(world.sockets, sockets);
    };
    const waiter = world.waitFor('call-1~1', { until: START + 20 * MINUTE });
    expect(waiter.frames).toMatchObject([{ type: 'settled', interaction: { outcome: 'expired' } }]);
  });

  it('[INT-8, INT-9] for an hour through an eviction receives the later answer', async () => {
    const world = await sessionAfter(askApproval({ timeoutSeconds: null }));
    const until = START + 2 * 60 * MINUTE;
    const waiter = world.waitFor('call-1~1', { until });
    const stream = world.connect({ caller: person(), held: true, after: 3 });
    world.evict();
    await world.quiet();
    world.trace.length = 0;
    await world.pass(60 * MINUTE);
    expect(world.trace).toEqual([]);
    world.must(APPROVE);
    expect(waiter.last?.interaction).toMatchObject({ outcome: 'approved', deliveredAt: world.now });
    expect(stream.events.map((event) => event.type)).toEqual([
      'interaction_response',
      'interaction_pending',
    ]);
  });

  it('[INT-8] reconnects after a restart, and receives the outcome', async () => {
    const world = await sessionAfter(askApproval());
    world.waitFor('call-1~1');
    world.restart();
    world.must(APPROVE);
    expect(world.waitFor('call-1~1').last?.interaction).toMatchObject({ outcome: 'approved' });
  });

  it('[INT-7] for an unknown interaction is refused', async () => {
    const world = await sessionAfter(askApproval());
    expect(() => world.waitFor('call-1~2')).toThrow('not_found');
    expect(() => world.waitFor('call-9~1')).toThrow('not_found');
  });
});

describe('how long', () => {
  it('[API-3, INT-9] a waiter whose time is over is closed, unanswered, at the next event', async () => {
    const world = await sessionAfter(askApproval());
    const waiter = world.waitFor('call-1~1', { until: START + 55 * SECOND });
    const longer = world.waitFor('call-1~1', { until: START + 55 * SECOND + 1 });
    world.now = START + 55 * SECOND;
    world.must(append({ type: 'assistant_text', payload: { text: 'Working' } }));
    expect(waiter).toMatchObject({ texts: [], closed: { code: 1000 } });
    expect(longer.closed).toBeNull();
    world.must(APPROVE);
    expect(longer.last).toMatchObject({ type: 'settled' });
  });

  it('[API-3, INT-16] a waiter whose time is over does not count as delivered', async () => {
    const world = await sessionAfter(askApproval());
    world.waitFor('call-1~1', { until: START + 55 * SECOND });
    world.now = START + 55 * SECOND;
    world.must(APPROVE);
    expect(world.record('call-1~1').deliveredAt).toBeUndefined();
  });
});

describe('when the outcome is delivered', () => {
  it('[INT-16] at once, when the agent waits for it', async () => {
    const world = await sessionAfter(askApproval());
    world.waitFor('call-1~1');
    world.now += 5_000;
    world.must(APPROVE);
    expect(world.record('call-1~1').deliveredAt).toBe(START + 5_000);
  });

  it('[INT-16] at once, when the agent that asked listens to everything', async () => {
    const world = await sessionAfter(askApproval());
    world.connect({ caller: agent() });
    world.must(APPROVE);
    expect(world.record('call-1~1').deliveredAt).toBe(START);
  });

  it.each([
    ['nobody', () => undefined],
    ['a person', (world: SessionWorld) => world.waitFor('call-1~1', { agent: false })],
    ['another agent', (world: SessionWorld) => world.connect({ caller: agent('other') })],
    ['its agent, for another outcome', (world: SessionWorld) => world.waitFor('call-2~1')],
  ])('[INT-16] not yet, when %s listens', async (_, listen) => {
    const world = await sessionAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    listen(world);
    world.must(APPROVE);
    expect(world.record('call-1~1').deliveredAt).toBeUndefined();
  });

  it('[INT-16] later, when the agent reads it; the first time counts, over a restart', async () => {
    const world = await sessionAfter(askApproval(), APPROVE);
    const read = (caller = agent()) => readInteraction(world.session, 'call-1~1', caller);
    world.now += 1_000;
    for (const other of [person(), admin(), reader()]) {
      expect(read(other)).toMatchObject({ ok: true, value: { outcome: 'approved' } });
    }
    expect(world.record('call-1~1').deliveredAt).toBeUndefined();
    world.now += 1_000;
    expect(read()).toMatchObject({ ok: true, value: { deliveredAt: START + 2_000 } });
    world.restart();
    world.now += 1_000;
    expect(read()).toMatchObject({ ok: true, value: { deliveredAt: START + 2_000 } });
    const page = listInteractions(world.session, { status: 'settled', limit: 10 }, person());
    expect(page).toMatchObject({ value: { interactions: [{ deliveredAt: START + 2_000 }] } });
  });

  it('[INT-16] later, when the agent comes back to wait for it', async () => {
    const world = await sessionAfter(askApproval(), APPROVE);
    world.now += 1_000;
    expect(world.waitFor('call-1~1').last?.interaction?.deliveredAt).toBe(START + 1_000);
    expect(world.record('call-1~1').deliveredAt).toBe(START + 1_000);
  });

  it.each([
    ['under the same key', { key: 'key-00001' }],
    ['without a key', {}],
  ])('[INT-16, INT-5] later, when the agent asks again %s', async (_, sending) => {
    const world = await sessionAfter();
    world.must(askApproval(), { key: 'key-00001' });
    world.must(APPROVE);
    world.now += 1_000;
    const again = world.must(askApproval(), sending);
    expect(again.body).toMatchObject({ interaction: { deliveredAt: START + 1_000 } });
    expect(world.record('call-1~1').deliveredAt).toBe(START + 1_000);
  });

  it('[INT-16] reading an open interaction marks nothing as delivered', async () => {
    const world = await sessionAfter(askApproval());
    readInteraction(world.session, 'call-1~1', agent());
    world.must(APPROVE);
    expect(world.record('call-1~1').deliveredAt).toBeUndefined();
  });
});

describe('whether anybody listens', () => {
  function waiting(world: SessionWorld): (boolean | undefined)[] {
    const read = readSnapshot(world.session);
    return read.ok ? read.value.open.map((one) => one.agentWaiting) : [];
  }

  it('[INT-16] is shown as it is now, in every view', async () => {
    const world = await sessionAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    expect(waiting(world)).toEqual([false, false]);
    world.waitFor('call-1~1', { until: START + 55 * SECOND });
    world.waitFor('call-2~1', { agent: false });
    expect(waiting(world)).toEqual([true, false]);
    expect(world.connect().frames[0]?.open).toMatchObject([
      { agentWaiting: true },
      { agentWaiting: false },
    ]);
    expect(listInteractions(world.session, { status: 'open', limit: 1 }, person())).toMatchObject({
      value: { interactions: [{ agentWaiting: true }, { agentWaiting: false }] },
    });
    world.now = START + 55 * SECOND;
    expect(waiting(world)).toEqual([false, false]);
  });

  it('[INT-16] a subscription of the agent that asked counts until it leaves', async () => {
    const world = await sessionAfter(askApproval());
    const socket = world.connect({ caller: agent() });
    expect(waiting(world)).toEqual([true]);
    world.evict();
    expect(waiting(world)).toEqual([true]);
    world.drop(socket);
    expect(waiting(world)).toEqual([false]);
  });
});
