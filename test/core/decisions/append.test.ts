/**
 * An external agent reports its work. A bug would look like an open question whose tool has long finished, a
 * detached question that ends with a turn, or half a batch in the log.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { append, askApproval, askQuestion } from '../../support/asks.ts';
import { agent, person } from '../../support/callers.ts';
import { type CoreWorld, START, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const SETTLED = ['interaction_response', 'interaction_pending'];
const started = (turnId?: string) =>
  ({ type: 'turn_started', ...(turnId && { turnId }), payload: {} }) as const;
const ended = (turnId?: string) =>
  ({ type: 'turn_ended', ...(turnId && { turnId }), payload: { reason: 'completed' } }) as const;
const result = (toolCallId: string, isError = false) =>
  ({ type: 'tool_result', toolCallId, payload: { output: 'text', isError } }) as const;
const failed = (turnId?: string) =>
  ({ type: 'error', ...(turnId && { turnId }), payload: { message: 'Out of credit' } }) as const;
const BY = { credential: 'cred-agent', subject: 'agent' };
const text = { type: 'assistant_text', payload: { text: 'Working on it' } } as const;

describe('a batch', () => {
  it('[LOG-7] is written in its order, and the session assigns number and time', () => {
    const world = startedWorld();
    world.run(append(started('turn-1'), text, ended('turn-1')));
    expect(world.log.slice(1)).toEqual([
      { seq: 2, at: START, type: 'turn_started', turnId: 'turn-1', payload: { by: BY } },
      { seq: 3, at: START, ...text },
      {
        seq: 4,
        at: START,
        type: 'turn_ended',
        turnId: 'turn-1',
        payload: { reason: 'completed', by: BY },
      },
    ]);
  });

  it('[LOG-7, LOG-10] is appended whole or not at all where the log is nearly full', () => {
    const world = startedWorld();
    world.state = { ...world.live, head: LIMITS.eventsPerSession - 1 };
    expect(refused(world.run(append(text, text)))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'eventsPerSession', max: 100_000 },
    });
    accepted(world.run(append(text)));
  });

  it('[LOG-10] that ends open interactions is appended to a full log, and no other batch is', () => {
    const fill = (world: CoreWorld) => {
      world.state = { ...world.live, head: LIMITS.eventsPerSession };
      return world;
    };
    const turn = () => fill(worldAfter(append(started('turn-1')), askApproval()));
    for (const end of [result('call-1'), ended('turn-1'), ended(), failed()]) {
      accepted(turn().run(append(end)));
    }
    for (const more of [text, started('turn-2'), result('call-9'), ended('turn-9')]) {
      expect(refused(turn().run(append(more))).code).toBe('limit_reached');
    }
    const both = turn();
    expect(refused(both.run(append(ended(), ended()))).code).toBe('limit_reached');
    expect(both.record('call-1~1').status).toBe('open');
    const whole = both.run(append(result('call-1'), ended()));
    expect(outcomeOf(whole)).toEqual(['tool_result', ...SETTLED, 'turn_ended']);
  });

  it('[LIM-2] holds at most 1,000 events', () => {
    const world = startedWorld();
    const many = Array.from({ length: LIMITS.eventsPerBatch + 1 }, () => text);
    expect(refused(world.run(append(...many)))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'eventsPerBatch', max: 1_000 },
    });
    accepted(world.run(append(...many.slice(1))));
  });

  it('[AUTH-6] comes from an agent', () => {
    expect(refused(startedWorld().run(append(text), { caller: person() })).code).toBe('forbidden');
  });
});

describe('the result of a tool call', () => {
  it.each([
    ['fine', false, 'Tool call finished'],
    ['an error', true, 'Tool call failed'],
  ])('[APR-5, PEND-9] that is %s ends its question, right after it', (_what, isError, reason) => {
    const world = worldAfter(askApproval(), askQuestion({ toolCallId: 'call-2' }));
    const decided = world.run(append(result('call-1', isError), text));
    expect(outcomeOf(decided)).toEqual(['tool_result', ...SETTLED, 'assistant_text']);
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      action: 'cancel',
      outcome: 'cancelled',
      reason,
      settledBy: { subject: 'agent', via: 'api' },
    });
    expect([...world.live.open.keys()]).toEqual(['call-2~1']);
  });

  it('[PEND-3, PEND-9] twice in a batch ends it once', () => {
    const world = worldAfter(askApproval());
    expect(outcomeOf(world.run(append(result('call-1'), result('call-1', true))))).toEqual([
      'tool_result',
      ...SETTLED,
      'tool_result',
    ]);
  });

  it('[PEND-9] ends a detached question too: no agent is left to use its answer', () => {
    const world = worldAfter(askApproval({ detached: true }), append(result('call-1')));
    expect(world.record('call-1~1').outcome).toBe('cancelled');
  });

  it('[APR-5] after the answer is only a result', () => {
    const world = worldAfter(askApproval());
    world.run({ type: 'interactions.cancel' });
    expect(outcomeOf(world.run(append(result('call-1'))))).toEqual(['tool_result']);
  });
});

describe('the end of a turn', () => {
  const asked = [
    append(started('turn-1')),
    askApproval({ turnId: 'turn-1' }),
    askQuestion({ toolCallId: 'call-2', turnId: 'turn-1', detached: true }),
    askQuestion({ toolCallId: 'call-3', turnId: 'turn-0' }),
    askQuestion({ toolCallId: 'call-4' }),
  ];

  it('[PEND-9] by its id ends the questions of that turn first, and no others', () => {
    const world = worldAfter(...asked);
    const decided = world.run(append(ended('turn-1')));
    expect(outcomeOf(decided)).toEqual([...SETTLED, 'turn_ended']);
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'cancelled', reason: 'Turn ended' });
    expect([...world.live.open.keys()]).toEqual(['call-2~1', 'call-3~1', 'call-4~1']);
  });

  it('[PEND-9] without an id ends the questions of its agent since its start, in no other turn', () => {
    const world = worldAfter(...asked);
    expect(outcomeOf(world.run(append(ended())))).toEqual([...SETTLED, ...SETTLED, 'turn_ended']);
    expect([...world.live.open.keys()]).toEqual(['call-2~1', 'call-3~1']);
  });

  it('[PEND-9] that is over already still ends its open questions, and not the running turn', () => {
    const world = worldAfter(...asked, append(ended('turn-0')));
    expect(world.record('call-3~1').outcome).toBe('cancelled');
    expect(world.record('call-1~1').status).toBe('open');
    expect(world.live.info.turn).toEqual({
      turnId: 'turn-1',
      startedAt: START,
      by: BY,
    });
  });

  it.each([
    ['an end', ended(), 'turn_ended', 'Turn ended', false],
    ['an error', failed(), 'error', 'Agent failed', false],
    ['another start', started(), 'turn_started', 'Another turn began', true],
  ] as const)('[PEND-9] that has no name: %s cancels what was asked in it', (...row) => {
    const [_what, event, type, reason, runs] = row;
    const world = worldAfter(
      append(started()),
      askApproval(),
      askQuestion({ toolCallId: 'call-2', detached: true }),
    );
    expect(outcomeOf(world.run(append(event)))).toEqual([...SETTLED, type]);
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'cancelled', reason });
    expect(world.agentReply('call-1~1').behavior).toBe('deny');
    expect([...world.live.open.keys()]).toEqual(['call-2~1']);
    expect(world.live.info.turn !== null).toBe(runs);
  });

  it('[PEND-9] of a named turn is also the start of the next, and an error', () => {
    for (const event of [started('turn-2'), failed('turn-1'), failed()]) {
      const world = worldAfter(...asked);
      world.run(append(event));
      expect([...world.live.open.keys()]).toEqual(['call-2~1', 'call-3~1']);
    }
  });

  it('[PEND-9] is not a repeated start of the same turn, nor the start of the first', () => {
    const again = worldAfter(...asked);
    expect(outcomeOf(again.run(append(started('turn-1'))))).toEqual(['turn_started']);
    expect(outcomeOf(worldAfter(askApproval()).run(append(started())))).toEqual(['turn_started']);
  });

  it('[PEND-9] spares questions from before the start of the turn', () => {
    const world = worldAfter(askApproval());
    world.now += 1;
    world.run(append(started()));
    world.run(askQuestion({ toolCallId: 'call-2' }));
    world.run(append(ended()));
    expect([...world.live.open.keys()]).toEqual(['call-1~1']);
  });

  it('[PEND-9] without a start before it cancels all questions of its agent', () => {
    for (const event of [ended(), failed()]) {
      const world = worldAfter(askApproval(), askQuestion({ toolCallId: 'call-2', turnId: 'x' }));
      world.run(append(event));
      expect(world.live.open.size).toBe(0);
    }
  });

  it('[PEND-9, LOG-7] counts a turn that starts in the same batch', () => {
    const world = worldAfter(askApproval({ turnId: 'turn-1' }));
    expect(outcomeOf(world.run(append(started('turn-1'), ended())))).toEqual([
      'turn_started',
      ...SETTLED,
      'turn_ended',
    ]);
  });

  it('[PEND-9] asks a detached question to wait for an agent that comes back', () => {
    const world = worldAfter(
      ...asked,
      append(ended('turn-1')),
      append(started('turn-2')),
      append(ended('turn-2')),
    );
    const again = world.run(askQuestion({ toolCallId: 'call-2', detached: true }), {
      caller: agent('back again'),
    });
    expect(accepted(again).reply).toMatchObject({ interactionId: 'call-2~1', created: false });
    expect(world.record('call-2~1').status).toBe('open');
  });
});
