/**
 * k of n people who vote while processes end, writes fail and replies are lost. A bug here looks like a call that runs with
 * an approval too few, a person who counts twice, or an agent that is told twice.
 */
import { describe, expect, it } from 'vitest';
import { answer, askApproval } from '../support/asks.ts';
import { person } from '../support/callers.ts';
import { MINUTE } from '../support/core-world.ts';
import { Random } from '../support/random.ts';
import { countFor } from '../support/run-length.ts';
import { sessionAfter, startedSession } from '../support/session-storage.ts';

const NAMES = ['ann', 'bob', 'cem', 'dee', 'eve'] as const;
const APPROVE = answer('call-1~1', { decision: 'approve' });
const WITHDRAW = { type: 'interaction.withdraw', interactionId: 'call-1~1' } as const;
const TWO = { quorum: { approvals: 2 } };

describe('k of n people', () => {
  it('[VOTE-3] are never too few, never counted twice, and settle once, whatever is killed', async () => {
    for (let seed = 1; seed <= countFor({ quick: 60, long: 5_000 }); seed += 1) {
      const random = new Random(`votes ${seed}`);
      const approvals = random.int(1, 4);
      const world = await startedSession();
      world.must(askApproval({ quorum: { approvals }, timeoutSeconds: null }));
      const model = new Set<string>();
      let waiter = world.waitFor('call-1~1');
      let isOver = false;
      for (let step = 0; step < 30 && !isOver; step += 1) {
        const name = random.pick(NAMES);
        const caller = person(name);
        const key = `vote-${seed}-${step}`;
        const kill = random.pick(['none', 'none', 'before', 'during', 'after', 'evict']);
        if (kill === 'before') world.restart();
        if (kill === 'during' && random.chance(0.5)) world.storage.damage('log');
        else if (kill === 'during') world.storage.damage('meta');
        const isWithdrawal = random.int(0, 5) === 0;
        const command = isWithdrawal ? WITHDRAW : APPROVE;
        let handled = world.handle(command, { caller, key });
        if (kill === 'during') {
          world.storage.repair();
          if (random.pick([true, false])) world.restart();
          // The client repeats what failed, and also what succeeded but whose reply was lost.
          handled = world.handle(command, { caller, key });
        }
        if (kill === 'after') {
          world.restart();
          handled = world.handle(command, { caller, key });
        }
        await world.quiet();
        if (kill === 'evict') world.evict();
        if (handled.ok && isWithdrawal) model.delete(name);
        if (handled.ok && !isWithdrawal) model.add(name);
        if (waiter.gone) waiter = world.waitFor('call-1~1');
        isOver = model.size >= approvals;
        const record = world.record('call-1~1');
        const voted = (record.votes ?? []).map(({ by }) => by.subject);
        expect([seed, step, record.status]).toEqual([seed, step, isOver ? 'settled' : 'open']);
        expect(voted.toSorted()).toEqual([...model].toSorted());
      }
      const responses = world.log().filter(({ type }) => type === 'interaction_response');
      expect(responses).toHaveLength(isOver ? 1 : 0);
      expect(waiter.frames.filter(({ type }) => type === 'settled')).toHaveLength(isOver ? 1 : 0);
      expect(world.folded()).toEqual(world.state);
    }
  });

  it('[VOTE-3, INT-8] the agent that waits gets the outcome with the last vote, after an eviction', async () => {
    const world = await sessionAfter(askApproval(TWO));
    const waiter = world.waitFor('call-1~1');
    world.must(APPROVE, { caller: person('ann') });
    await world.quiet();
    world.evict();
    expect(waiter.frames).toEqual([]);
    world.must(APPROVE, { caller: person('bob') });
    expect(waiter.frames).toMatchObject([
      { type: 'settled', interaction: { outcome: 'approved', votes: [{}, {}] } },
    ]);
  });

  it('[VOTE-8, INT-9] waiting for the second vote sets no alarm and wakes nothing', async () => {
    const world = await sessionAfter(askApproval({ ...TWO, timeoutSeconds: null }));
    world.must(APPROVE, { caller: person('ann') });
    await world.pass(11 * MINUTE);
    expect(world.alarm.armedAt).toBeNull();
    expect(world.later.size).toBe(0);
  });

  it('[VOTE-3, LOG-8] a vote that cannot be written does not count', async () => {
    const world = await sessionAfter(askApproval(TWO));
    world.storage.damage('log');
    expect(world.handle(APPROVE, { caller: person('ann') })).toMatchObject({
      code: 'write_failed',
    });
    world.storage.repair();
    expect(world.record('call-1~1')).not.toHaveProperty('votes');
    world.must(APPROVE, { caller: person('bob') });
    expect(world.record('call-1~1')).toMatchObject({ status: 'open', votes: [{}] });
  });
});
