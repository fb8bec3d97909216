/**
 * Two agents in one session. A bug would look like an agent that ends the question or the turn of the other,
 * or a refused report of an agent about its own call.
 */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/protocol/caller.ts';
import { AppendedEvent } from '../../../src/protocol/schema/event.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { append, askApproval, askQuestion } from '../../support/asks.ts';
import { admin, agent, holding } from '../../support/callers.ts';
import { type CoreWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, refused } from '../../support/outcome.ts';

const OTHER = agent('other');
const started = (turnId?: string) =>
  ({ type: 'turn_started', ...(turnId && { turnId }), payload: {} }) as const;
const ended = (turnId?: string) =>
  ({ type: 'turn_ended', ...(turnId && { turnId }), payload: { reason: 'completed' } }) as const;
const failed = (turnId?: string) =>
  ({ type: 'error', ...(turnId && { turnId }), payload: { message: 'Gone' } }) as const;
const result = {
  type: 'tool_result',
  toolCallId: 'call-1',
  payload: { output: 'FORGED' },
} as const;
const text = { type: 'assistant_text', payload: { text: 'Hello' } } as const;

/** The first agent has a turn and asks in it. */
function asking(turnId?: string): CoreWorld {
  return worldAfter(append(started(turnId)), askApproval(turnId === undefined ? {} : { turnId }));
}

function tell(world: CoreWorld, caller: Caller, ...events: readonly AppendedEvent[]) {
  return world.run(append(...events), { caller });
}

describe('an interaction of another credential', () => {
  it.each<[string, AppendedEvent]>([
    ['the result of its call', result],
    ['the end of its turn', ended('turn-1')],
    ['an error in its turn', failed('turn-1')],
    ['a start of its turn', started('turn-1')],
  ])('[APR-5, PEND-9] is not ended by %s, and nothing of that batch is taken', (_what, event) => {
    const world = asking('turn-1');
    const { length } = world.log;
    expect(refused(tell(world, OTHER, text, event)).code).toBe('forbidden');
    expect(world.log).toHaveLength(length);
    expect(world.record('call-1~1').status).toBe('open');
    expect(world.live.info.turn?.turnId).toBe('turn-1');
  });

  it.each<[string, AppendedEvent]>([
    ['end', ended()],
    ['error', failed()],
    ['start', started()],
    ['start of its own', started('turn-2')],
  ])('[PEND-9] is not ended by an %s without the name of its turn', (_what, event) => {
    for (const world of [asking('turn-1'), asking()]) {
      accepted(tell(world, OTHER, event));
      expect(world.record('call-1~1').status).toBe('open');
      expect(outcomeOf(world.run(append(ended())))).toContain('interaction_response');
      expect(world.record('call-1~1').outcome).toBe('cancelled');
    }
  });

  it('[PEND-9] is not ended by the end of a turn that only its questions name', () => {
    const world = worldAfter(askApproval({ turnId: 'turn-1' }));
    expect(refused(tell(world, OTHER, ended('turn-1'))).code).toBe('forbidden');
  });

  it('[APR-5] is ended by no scope but `admin`: to answer and to report are separate rights', () => {
    const both = holding('agent', 'answer', 'send');
    expect(refused(tell(asking(), both, result)).code).toBe('forbidden');
    expect(refused(tell(asking('turn-1'), both, ended('turn-1'))).code).toBe('forbidden');
  });

  it('[APR-5, PEND-9] is ended by an administrator, and by the key that opened it', () => {
    const token: Caller = { ...agent('token'), root: 'cred-key' };
    for (const caller of [admin(), agent('key'), token]) {
      for (const event of [result, ended('turn-1'), failed('turn-1')]) {
        const world = worldAfter();
        world.run(append(started('turn-1')), { caller: token });
        world.run(askApproval({ turnId: 'turn-1' }), { caller: token });
        expect(world.record('call-1~1').openedBy).toMatchObject({ root: 'cred-key' });
        accepted(tell(world, caller, event));
        expect(world.record('call-1~1').outcome).toBe('cancelled');
      }
    }
  });

  it('[APR-5] of two tokens of one key, neither reports for the other', () => {
    const [one, two] = ['one', 'two'].map((name) => ({ ...agent(name), root: 'cred-key' }));
    const world = worldAfter();
    world.run(askApproval(), { caller: one as Caller });
    expect(refused(tell(world, two as Caller, result)).code).toBe('forbidden');
  });

  it('[CAN-2] may be cancelled by the key that opened it', () => {
    const world = worldAfter();
    world.run(askApproval(), { caller: { ...agent('token'), root: 'cred-key' } });
    const cancel = { type: 'interaction.cancel', interactionId: 'call-1~1' } as const;
    expect(refused(world.run(cancel, { caller: OTHER })).code).toBe('forbidden');
    accepted(world.run(cancel, { caller: agent('key') }));
  });
});

describe('a turn that another agent asks in', () => {
  it('[PEND-9] can still be ended by the agent that runs it, and the question stays open', () => {
    const world = asking('turn-1');
    world.run(askQuestion({ toolCallId: 'call-2', turnId: 'turn-1' }), { caller: OTHER });
    accepted(world.run(append(ended('turn-1'))));
    expect([...world.live.open.keys()]).toEqual(['call-2~1']);
    expect(world.live.info.turn).toBeNull();
  });

  it('[PEND-9] can be ended by one of several agents that ask in it, for itself', () => {
    const world = worldAfter(askApproval({ turnId: 'turn-1' }));
    world.run(askQuestion({ toolCallId: 'call-2', turnId: 'turn-1' }), { caller: OTHER });
    accepted(world.run(append(ended('turn-1'))));
    expect([...world.live.open.keys()]).toEqual(['call-2~1']);
  });
});

describe('two turns at once', () => {
  it('[PEND-9] the turn that started last is shown, and the earlier turn again after its end', () => {
    const world = worldAfter(append(started('turn-1')));
    tell(world, OTHER, started('turn-2'));
    expect(world.live.info.turn?.turnId).toBe('turn-2');
    expect(world.live.info.otherTurns?.map(({ turnId }) => turnId)).toEqual(['turn-1']);
    tell(world, OTHER, ended());
    expect(world.live.info.turn?.turnId).toBe('turn-1');
    expect(world.live.info).not.toHaveProperty('otherTurns');
  });

  it('[PEND-9] the earlier turn cannot be ended by the agent of the shown turn', () => {
    const world = worldAfter(append(started('turn-1')));
    tell(world, OTHER, started('turn-2'));
    expect(refused(tell(world, OTHER, ended('turn-1'))).code).toBe('forbidden');
    expect(outcomeOf(world.run(append(ended('turn-1'))))).toEqual(['turn_ended']);
    expect(world.live.info.turn?.turnId).toBe('turn-2');
  });

  it('[CAN-1] an interrupt ends all turns', () => {
    const world = worldAfter(append(started('turn-1')));
    tell(world, OTHER, started());
    expect(outcomeOf(world.run({ type: 'turn.interrupt' }))).toEqual(['turn_ended', 'turn_ended']);
    expect(world.live.info).toMatchObject({ turn: null });
    expect(world.live.info).not.toHaveProperty('otherTurns');
  });

  it('[PEND-9, LIM-2] are sixteen at most: abandoned turns are dropped, the oldest first', () => {
    const world = worldAfter();
    for (let index = 0; index <= LIMITS.runningTurns; index += 1) {
      tell(world, agent(`agent-${index}`), started(`turn-${index}`));
    }
    const behind = world.live.info.otherTurns ?? [];
    expect(behind).toHaveLength(LIMITS.runningTurns - 1);
    expect(behind[0]?.turnId).toBe('turn-1');
  });
});

it('[LOG-7] the session writes the reporting credential, and a caller cannot claim another', () => {
  const by = { credential: 'key_1', subject: 'somebody' };
  for (const event of [started(), ended(), failed()]) {
    const claimed = { ...event, payload: { ...event.payload, by } };
    expect(AppendedEvent.safeParse(claimed).success).toBe(false);
  }
});
