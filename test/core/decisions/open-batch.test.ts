/**
 * Several openings in one command. A bug would look like a batch that asks twice what one opening after another asks
 * once, that gives the answer of one killed call to two new ones, or that goes beyond a limit.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandOf } from '../../../src/protocol/schema/command.ts';
import { reject, type Rejection } from '../../../src/protocol/errors.ts';
import type { Decision } from '../../../src/core/decision.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { arbitraryOpenings, arbitrarySteps, takeStep } from '../../support/arbitrary-steps.ts';
import { answer, askApproval, askQuestion } from '../../support/asks.ts';
import { agent } from '../../support/callers.ts';
import { CoreWorld, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, refused } from '../../support/outcome.ts';
import { countFor } from '../../support/run-length.ts';

type Open = CommandOf<'interaction.open'>;

function resultsOf({ reply }: Decision) {
  if (reply.type !== 'openings') throw new Error(`The reply is ${reply.type}`);
  return reply.results;
}

function together(world: CoreWorld, openings: readonly (Open | Rejection)[]) {
  const decided = accepted(world.run({ type: 'interactions.open', openings }));
  return { results: resultsOf(decided), events: decided.events };
}

function isAskedBefore(result: object | undefined): boolean {
  return (
    result !== undefined && 'message' in result && /of this batch/.test(String(result.message))
  );
}

function ofLife(opening: Open, agentInstance: string, index: number): Open {
  const toolCallId = `${agentInstance}-${index}`;
  return { ...opening, common: { ...opening.common, agentInstance, toolCallId } };
}

function oneByOne(world: CoreWorld, openings: readonly Open[]) {
  return openings.map((opening) => {
    const decided = world.run(opening);
    return decided.ok ? decided.reply : decided;
  });
}

describe('a batch', () => {
  it('[INT-20, LOG-4] is the same as its openings one after another', () => {
    const seen = {
      asked: 0,
      decided: 0,
      found: 0,
      refused: 0,
      replaced: 0,
      reassigned: 0,
      twice: 0,
    };
    const property = fc.property(
      arbitrarySteps,
      arbitraryOpenings,
      arbitraryOpenings,
      (steps, left, others) => {
        const [batched, single] = [new CoreWorld(), new CoreWorld()];
        for (const world of [batched, single]) {
          world.run({ type: 'session.create' });
          for (const step of steps) {
            const { command, caller } = takeStep(world, step);
            world.run(command, { caller });
          }
          for (const [index, opening] of left.entries()) {
            const { reply } = { reply: undefined, ...world.run(ofLife(opening, 'life-0', index)) };
            if (index % 3 === 0 || reply?.type !== 'interaction') continue;
            world.run(answer(reply.interactionId, { decision: 'approve' }));
          }
          world.runDeadlines();
        }
        const again = left.map((opening, index) => ofLife(opening, 'life-1', index));
        const openings = [...again, ...again.slice(0, 1), ...others];
        const head = batched.log.length;
        const isThere = single.state !== null && single.state.info.deletedAt === null;
        const decided = batched.run({ type: 'interactions.open', openings });
        if (!isThere) {
          expect(refused(decided).code).toBe('not_found');
          return;
        }
        const results = resultsOf(accepted(decided));
        const isTwice = (at: number) => isAskedBefore(results[at]);
        const expected = oneByOne(
          single,
          openings.filter((_, at) => !isTwice(at)),
        );
        expect(results.filter((_, at) => !isTwice(at))).toEqual(expected);
        seen.twice += results.filter(isAskedBefore).length;
        expect(batched.log).toEqual(single.log);
        expect(batched.state).toEqual(single.state);
        expect(batched.records).toEqual(single.records);
        for (const result of expected) {
          if ('ok' in result) seen.refused += 1;
          else if (result.type === 'gate') seen.decided += 1;
          else if (result.type === 'interaction') seen[result.created ? 'asked' : 'found'] += 1;
        }
        for (const { type, payload } of batched.log.slice(head)) {
          if (type === 'interaction_request' && payload.replaces !== undefined) seen.replaced += 1;
          if (type === 'interaction_update' && payload.change === 'reassigned')
            seen.reassigned += 1;
        }
      },
    );
    fc.assert(property, { numRuns: countFor({ quick: 300, long: 5_000 }) });
    for (const [what, times] of Object.entries(seen)) {
      expect({ what, isSeen: times > 2 }).toEqual({ what, isSeen: true });
    }
  }, 120_000);

  it('[INT-20] an opening that would replace or take over one of the same batch is refused', () => {
    const world = startedWorld();
    const { results } = together(world, [
      askApproval({ agentInstance: 'life-1' }),
      askApproval({ agentInstance: 'life-1' }),
      askApproval({}, { input: { command: 'ls' } }),
      askApproval({ toolCallId: 'call-2', agentInstance: 'life-2' }),
    ]);
    expect(results).toMatchObject([
      { interactionId: 'call-1~1', created: true },
      { interactionId: 'call-1~1', created: false },
      { code: 'invalid_request' },
      { code: 'invalid_request' },
    ]);
    expect(results.map(isAskedBefore)).toEqual([false, false, true, true]);
    expect(world.live.open.size).toBe(1);
  });

  it('[INT-20] openings without a call of their own have different ones', () => {
    const { toolCallId: _, ...common } = askApproval().common;
    const opening = { ...askApproval(), common };
    const { results } = together(startedWorld(), [opening, { ...opening }]);
    const ids = results.map((one) => 'interactionId' in one && one.interactionId);
    expect(new Set(ids).size).toBe(2);
  });

  it('[INT-20] a refused opening neither undoes nor stops the others', () => {
    const world = startedWorld();
    const unread = reject('invalid_request', 'toolCallId: Required');
    const bad = askApproval({ toolCallId: 'call-2', quorum: { approvals: 2 } }, { choices: [] });
    const { results } = together(world, [
      askApproval({ toolCallId: 'call-1' }),
      unread,
      bad,
      askQuestion({ toolCallId: 'call-4' }),
    ]);
    expect(results).toMatchObject([
      { type: 'interaction', interactionId: 'call-1~1', created: true },
      unread,
      { ok: false, code: 'invalid_request' },
      { type: 'interaction', interactionId: 'call-4~1', created: true },
    ]);
    expect([...world.live.open.keys()]).toEqual(['call-1~1', 'call-4~1']);
  });

  it('[INT-20, LIM-2] stops at the open requests of a session, and refuses only what is beyond', () => {
    const world = worldAfter(askQuestion({ toolCallId: 'call-before' }));
    const openings = Array.from({ length: LIMITS.openingsPerBatch }, (_, index) =>
      askQuestion({ toolCallId: `call-${index}` }),
    );
    const { results, events } = together(world, openings);
    expect(results.filter((one) => 'ok' in one)).toMatchObject([
      { code: 'limit_reached', details: { limit: 'openInteractions' } },
    ]);
    expect('ok' in (results.at(-1) ?? {})).toBe(true);
    expect(world.live.open.size).toBe(LIMITS.openInteractions);
    expect(events.filter(({ type }) => type === 'interaction_request')).toHaveLength(63);
  });

  it('[INT-20, ADP-2] two equal calls of a new instance take two answers that the last one left behind', () => {
    const world = startedWorld();
    for (const call of ['call-1', 'call-2']) {
      world.run(askApproval({ toolCallId: call, agentInstance: 'life-1' }));
      world.run(answer(`${call}~1`, { decision: 'approve' }));
      world.now += 1;
    }
    const again = (call: string) => askApproval({ toolCallId: call, agentInstance: 'life-2' });
    const { results } = together(world, [again('call-3'), again('call-4'), again('call-5')]);
    expect(results).toMatchObject([
      { interactionId: 'call-1~1', created: false },
      { interactionId: 'call-2~1', created: false },
      { interactionId: 'call-5~1', created: true },
    ]);
    expect(world.record('call-2~1').reassignedTo?.toolCallId).toBe('call-4');
  });

  it('[INT-20, AUTH-6] of another credential replaces no open request', () => {
    const world = worldAfter(askApproval());
    const other = agent('another');
    const changed = askApproval({}, { input: { command: 'ls' } });
    const command = { type: 'interactions.open', openings: [changed] } as const;
    const { reply } = accepted(world.run(command, { caller: other }));
    expect(reply).toMatchObject({ results: [{ ok: false, code: 'forbidden' }] });
    expect(world.record('call-1~1').status).toBe('open');
  });
});
