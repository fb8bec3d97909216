/**
 * The next instance of a killed agent, in a session with waiters, restarts and failing writes. A bug here looks like a
 * second question for a person, or like an answer that two runs of an agent take for their own.
 */
import { describe, expect, it } from 'vitest';
import type { OpenCommon } from '../../src/protocol/schema/interaction.ts';
import { MINUTE, SECOND } from '../support/core-world.ts';
import { answer, askApproval } from '../support/asks.ts';
import { agent } from '../support/callers.ts';
import { acknowledgeOutcome } from '../../src/session/acknowledge.ts';
import { readInteraction } from '../../src/session/queries.ts';
import { sessionAfter } from '../support/session-storage.ts';
import type { SessionWorld } from '../support/session-world.ts';

const FIRST = { agentInstance: 'instance-a' };
const APPROVE = answer('call-1~1', { decision: 'approve' });

function acknowledge(world: SessionWorld, toolCallId: string, caller = agent(), id = 'call-1~1') {
  return acknowledgeOutcome(world.session, id, toolCallId, caller);
}

function asksAgain(world: SessionWorld, common: Partial<OpenCommon> = {}, key?: string) {
  world.now += SECOND;
  const next = askApproval({ toolCallId: 'call-2', agentInstance: 'instance-b', ...common });
  return world.must(next, key === undefined ? {} : { key });
}

const shown = (world: SessionWorld, common?: Partial<OpenCommon>) =>
  asksAgain(world, common).body as { readonly interaction: { readonly interactionId: string } };

describe('an answer that no call has acknowledged', () => {
  it('[ADP-2, INT-16] goes to the next instance, after an eviction and a restart, and is delivered by that', async () => {
    const world = await sessionAfter(askApproval(FIRST), APPROVE);
    expect(world.record('call-1~1').deliveredAt).toBeUndefined();
    world.evict();
    world.now += MINUTE;
    world.restart();
    expect(shown(world)).toMatchObject({
      interaction: {
        interactionId: 'call-1~1',
        outcome: 'approved',
        reply: { behavior: 'allow' },
        deliveredAt: world.now,
        reassignedTo: { toolCallId: 'call-2', agentInstance: 'instance-b', at: world.now },
      },
    });
    expect(world.record('call-1~1')).toMatchObject({ deliveredAt: world.now, rev: 3 });
    expect(world.log().at(-1)).toMatchObject({ payload: { change: 'reassigned' } });
    expect(world.folded()).toEqual(world.state);
  });

  it('[ADP-2] goes to each instance that asks, and the last one alone may act on it', async () => {
    const world = await sessionAfter(askApproval(FIRST), APPROVE);
    for (const name of ['b', 'c']) {
      const common = { toolCallId: `call-${name}`, agentInstance: `instance-${name}` };
      expect(shown(world, common)).toMatchObject({ interaction: { interactionId: 'call-1~1' } });
    }
    for (const call of ['call-1', 'call-b']) {
      expect(acknowledge(world, call)).toMatchObject({ ok: false, code: 'reassigned' });
    }
    expect(acknowledge(world, 'call-c')).toMatchObject({ value: { acknowledgedAt: world.now } });
    const at = world.now;
    world.now += SECOND;
    world.restart();
    expect(acknowledge(world, 'call-c')).toMatchObject({ value: { acknowledgedAt: at } });
    expect(acknowledge(world, 'call-1')).toMatchObject({ code: 'reassigned' });
    const late = { toolCallId: 'call-d', agentInstance: 'instance-d' };
    expect(shown(world, late)).toMatchObject({ interaction: { interactionId: 'call-d~1' } });
  });

  it('[ADP-2] is not acknowledged before it is there, or where the write fails', async () => {
    const world = await sessionAfter(askApproval(FIRST));
    expect(acknowledge(world, 'call-1')).toMatchObject({ code: 'still_open' });
    expect(acknowledge(world, 'call-1', agent(), 'call-9~1')).toMatchObject({ code: 'not_found' });
    world.must(APPROVE);
    for (const [table, on] of [
      ['meta', 'UPDATE'],
      ['meta', 'DELETE'],
    ] as const) {
      world.storage.damage(table, on);
      expect(acknowledge(world, 'call-1')).toMatchObject({ code: 'write_failed' });
      world.storage.repair();
      expect(world.record('call-1~1').acknowledgedAt).toBeUndefined();
    }
    expect(acknowledge(world, 'call-1')).toMatchObject({ ok: true });
  });

  it('[ADP-2] is found again by the same call, with its key and with another, when the reply was lost', async () => {
    const world = await sessionAfter(askApproval(FIRST), APPROVE);
    asksAgain(world, {}, 'key-0001');
    const head = world.log().length;
    world.restart();
    for (const key of ['key-0001', 'key-0002', undefined]) {
      expect(asksAgain(world, {}, key).body).toMatchObject({
        interaction: { interactionId: 'call-1~1', outcome: 'approved' },
      });
    }
    expect(world.log()).toHaveLength(head);
  });

  it.each([
    ['a waiter had it', (world: SessionWorld) => void world.waitFor('call-1~1')],
    [
      'a socket of the agent had it',
      (world: SessionWorld) => void world.connect({ caller: agent() }),
    ],
    [
      'an agent has read it',
      (world: SessionWorld) => {
        world.must(APPROVE);
        readInteraction(world.session, 'call-1~1', agent('reader'));
      },
    ],
  ])('[ADP-2, INT-16] is still one where %s', async (_, listen) => {
    const world = await sessionAfter(askApproval(FIRST));
    listen(world);
    if (world.record('call-1~1').status === 'open') world.must(APPROVE);
    expect(world.record('call-1~1').deliveredAt).toBeDefined();
    expect(shown(world)).toMatchObject({ interaction: { interactionId: 'call-1~1' } });
  });

  it.each(['turn.interrupt', 'session.clear'] as const)(
    '[ADP-2] is void after %s, because the person has stopped what it was for',
    async (type) => {
      const world = await sessionAfter(askApproval(FIRST), APPROVE, { type });
      world.restart();
      expect(shown(world)).toMatchObject({ interaction: { interactionId: 'call-2~1' } });
    },
  );

  it('[ADP-2, LOG-8] stays where it is if the write fails, and goes to the one who asks next', async () => {
    const world = await sessionAfter(askApproval(FIRST), APPROVE);
    world.now += SECOND;
    world.storage.damage('log');
    const ask = askApproval({ toolCallId: 'call-2', agentInstance: 'instance-b' });
    expect(world.handle(ask)).toMatchObject({ code: 'write_failed' });
    expect(world.record('call-1~1').deliveredAt).toBeUndefined();
    world.storage.repair();
    expect(shown(world, { toolCallId: 'call-3', agentInstance: 'instance-c' })).toMatchObject({
      interaction: { interactionId: 'call-1~1' },
    });
  });
});

describe('an open question', () => {
  it('[ADP-2, INT-8] is waited for by the next instance; who waited before learns that at once', async () => {
    const world = await sessionAfter(askApproval(FIRST));
    const before = world.waitFor('call-1~1');
    const found = shown(world, { toolCallId: 'call-3', agentInstance: 'instance-c' });
    expect(before.frames).toMatchObject([
      {
        type: 'settled',
        interaction: { status: 'open', reassignedTo: { toolCallId: 'call-3' } },
      },
    ]);
    expect(found).toMatchObject({ interaction: { interactionId: 'call-1~1', status: 'open' } });
    const waiter = world.waitFor('call-1~1');
    world.restart();
    const again = world.waitFor('call-1~1');
    world.must(APPROVE);
    expect(waiter.frames).toEqual([]);
    expect(again.frames).toMatchObject([
      { type: 'settled', interaction: { reassignedTo: { toolCallId: 'call-3' } } },
    ]);
    expect(world.folded()).toEqual(world.state);
  });

  it('[ADP-2] announces nothing, and stays one entry of the inbox', async () => {
    const world = await sessionAfter(askApproval(FIRST));
    const before = world.workspace.reports.length;
    asksAgain(world);
    await world.quiet();
    const reports = world.workspace.reports.slice(before);
    expect(reports.flatMap(({ announcements }) => announcements)).toEqual([]);
    expect(reports.flatMap(({ open }) => open.map((one) => one.interactionId))).toEqual([
      'call-1~1',
    ]);
  });

  it('[ADP-2] keeps its deadline, and its expiry is no answer', async () => {
    const world = await sessionAfter(askApproval(FIRST));
    await world.pass(9 * MINUTE);
    asksAgain(world, { timeoutSeconds: 3_600 });
    await world.pass(2 * MINUTE);
    expect(world.record('call-1~1').outcome).toBe('expired');
    expect(shown(world, { toolCallId: 'call-3', agentInstance: 'instance-c' })).toMatchObject({
      interaction: { interactionId: 'call-3~1' },
    });
  });
});
