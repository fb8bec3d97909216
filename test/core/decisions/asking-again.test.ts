/**
 * The same tool call asks a second time: after a restart, with better words, or after an answer.
 * A bug would look like a person asked twice for one thing, an answer to the old wording counted for
 * the new one, or a typing indicator that flickers between two versions of one question.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { OpenCommon } from '../../../src/protocol/schema/interaction.ts';
import { answer, askApproval, askForm, askQuestion, COLOR, SIZES } from '../../support/asks.ts';
import { agent } from '../../support/callers.ts';
import { SECOND, worldAfter } from '../../support/core-world.ts';
import { accepted, idOf, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

describe('the same request', () => {
  it('[INT-5] finds the open record again and logs nothing', () => {
    const world = worldAfter(askApproval());
    const again = accepted(world.run(askApproval()));
    expect(again.events).toEqual([]);
    expect(again.reply).toEqual({ type: 'interaction', interactionId: 'call-1~1', created: false });
  });

  it('[INT-5] is recognized by its content, whatever the order of its keys', () => {
    const world = worldAfter(askApproval({}, { input: { a: 1, b: { c: 2, d: 3 } } }));
    const again = world.run(askApproval({}, { input: { b: { d: 3, c: 2 }, a: 1 } }));
    expect(idOf(again)).toBe('call-1~1');
    expect(outcomeOf(again)).toEqual([]);
  });

  it.each([
    ['approved', { decision: 'approve' }],
    ['denied', { decision: 'deny' }],
  ])('[INT-5] returns a record that was %s in the meantime', (outcome, given) => {
    const world = worldAfter(askApproval(), answer('call-1~1', given));
    expect(idOf(world.run(askApproval()))).toBe('call-1~1');
    expect(world.record('call-1~1').outcome).toBe(outcome);
    expect(world.live.open.size).toBe(0);
  });

  it.each(['cancelled', 'expired'])('[INT-5] with reopen asks again after it was %s', (outcome) => {
    const world = worldAfter(askApproval());
    if (outcome === 'expired') world.advance(600 * SECOND);
    else world.run({ type: 'interactions.cancel' });
    expect(world.record('call-1~1').outcome).toBe(outcome);

    expect(outcomeOf(world.run(askApproval()))).toEqual([]);
    const reopened = world.run(askApproval({ reopen: true }));
    expect(idOf(reopened)).toBe('call-1~2');
    expect(outcomeOf(reopened)).toEqual(['interaction_pending', 'interaction_request']);
    expect(world.record('call-1~2')).not.toHaveProperty('replaces');
  });

  it('[INT-5] with reopen does not ask again after a decision', () => {
    const world = worldAfter(askApproval(), answer('call-1~1', { decision: 'deny' }));
    expect(outcomeOf(world.run(askApproval({ reopen: true })))).toEqual([]);
    expect(world.live.open.size).toBe(0);
  });

  it('[INT-5] is compared with the latest record only: an older request is a new step', () => {
    const world = worldAfter(askQuestion(), askQuestion({}, [SIZES]));
    expect(idOf(world.run(askQuestion()))).toBe('call-1~3');
    expect(world.record('call-1~2').outcome).toBe('superseded');
  });
});

describe('differences between requests', () => {
  const first = { toolCallId: 'call-1', toolName: 'Bash', kind: 'approval' };

  it.each<[string, Partial<OpenCommon>, object]>([
    ['its tool', { toolName: 'Shell' }, {}],
    ['its input', {}, { input: { command: 'ls' } }],
    ['what it offers', {}, { offers: ['session'] }],
    ['an error about the last try', { errorSummary: 'That did not work' }, {}],
  ])('[INT-5] %s', (_what, common, request) => {
    const world = worldAfter(askApproval(first));
    const again = world.run(askApproval({ ...first, ...common }, { ...request }));
    expect(idOf(again)).toBe('call-1~2');
  });

  it.each<[string, Partial<OpenCommon>]>([
    ['its deadline', { timeoutSeconds: 5 }],
    ['its turn', { turnId: 'turn-2' }],
    ['who asks', {}],
  ])('[INT-5] not %s', (_what, common) => {
    const world = worldAfter(askApproval(first));
    const again = world.run(askApproval({ ...first, ...common }), { caller: agent('another') });
    expect(idOf(again)).toBe('call-1~1');
  });
});

describe('another request while one is open', () => {
  it('[INT-14, PEND-4] replaces the open request in one commit, without a gap in pending', () => {
    const world = worldAfter(askQuestion());
    const decided = world.run(askQuestion({ errorSummary: 'Be precise' }, [SIZES]));
    expect(outcomeOf(decided)).toEqual([
      'interaction_response',
      'interaction_pending',
      'interaction_request',
    ]);
    expect(payloadOf(decided, 'interaction_pending')).toMatchObject({
      pending: true,
      interactionId: 'call-1~2',
    });
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      interactionId: 'call-1~1',
      action: 'cancel',
      outcome: 'superseded',
      replacedBy: 'call-1~2',
      settledBy: { subject: 'agent', via: 'api' },
    });
    expect(payloadOf(decided, 'interaction_request')).toMatchObject({
      interactionId: 'call-1~2',
      replaces: 'call-1~1',
      errorSummary: 'Be precise',
    });
  });

  it.each([
    ['an approval by a question', askApproval(), askQuestion(), 'questionnaire'],
    ['a question by an approval', askQuestion(), askApproval(), 'tool'],
  ] as const)(
    '[INT-14, PEND-1] of another kind: %s is shown in its own way',
    (_what, one, two, shown) => {
      const world = worldAfter(one);
      const decided = world.run(two);
      expect(payloadOf(decided, 'interaction_pending').presentation).toBe(shown);
      expect(payloadOf(decided, 'interaction_request').presentation).toBe(shown);
      expect(world.record('call-1~2').presentation).toBe(shown);
      const ended = world.run({ type: 'interactions.cancel' });
      expect(payloadOf(ended, 'interaction_pending')).toMatchObject({
        pending: false,
        presentation: shown,
        interactionId: 'call-1~2',
      });
    },
  );

  it('[PEND-2, PEND-3, PEND-4] sets pending for each of three versions, and clears it once', () => {
    const world = worldAfter(
      askQuestion(),
      askQuestion({}, [SIZES]),
      askQuestion({}, [COLOR, SIZES]),
      answer('call-1~3', { decline: true }),
    );
    const pending = world.log.filter((event) => event.type === 'interaction_pending');
    expect(pending.map(({ payload }) => [payload.pending, payload.interactionId])).toEqual([
      [true, 'call-1~1'],
      [true, 'call-1~2'],
      [true, 'call-1~3'],
      [false, 'call-1~3'],
    ]);
  });

  it('[INT-14, INT-7] an answer to the old request receives the new request, and decides nothing', () => {
    const world = worldAfter(askQuestion(), askQuestion({}, [SIZES]));
    const late = refused(world.run(answer('call-1~1', { answers: { '0': 'Red' } })));
    expect(late).toMatchObject({
      code: 'already_settled',
      details: { outcome: 'superseded', replacedBy: 'call-1~2' },
    });
    expect(world.live.open.has('call-1~2')).toBe(true);
  });

  it('[INT-14] may be of another kind', () => {
    const world = worldAfter(askQuestion());
    expect(outcomeOf(world.run(askApproval()))).toEqual([
      'interaction_response',
      'interaction_pending',
      'interaction_request',
    ]);
    expect(world.latestOf('call-1')?.kind).toBe('approval');
  });

  it('[INT-14] happens at most twenty times to one tool call', () => {
    const world = worldAfter(askApproval());
    for (let count = 1; count <= LIMITS.repromptsPerToolCall; count += 1) {
      accepted(world.run(askApproval({}, { input: { count } })));
    }
    expect(refused(world.run(askApproval({}, { input: { count: 'more' } })))).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'repromptsPerToolCall', max: 20 },
    });
    expect(world.live.open.has('call-1~21')).toBe(true);
  });

  it('[INT-14, TIME-1] gives the new request its own full time', () => {
    const world = worldAfter(askQuestion());
    world.advance(599 * SECOND);
    world.run(askQuestion({}, [SIZES]));
    world.advance(599 * SECOND);
    expect(world.record('call-1~2').status).toBe('open');
  });
});

describe('another request after it settled', () => {
  it('[INT-5] is a new step, and the settled one stays readable', () => {
    const world = worldAfter(askApproval(), answer('call-1~1', { decision: 'deny' }));
    const next = world.run(askApproval({}, { input: { command: 'ls' } }));
    expect(outcomeOf(next)).toEqual(['interaction_pending', 'interaction_request']);
    expect(world.record('call-1~2')).not.toHaveProperty('replaces');
    expect(world.record('call-1~1')).toMatchObject({ status: 'settled', outcome: 'denied' });
  });

  it('[FORM-2] keeps the typed values when the tool sends the form back with its errors', () => {
    const world = worldAfter(askForm(), answer('call-1~1', { values: { host: 'nowhere' } }));
    const fieldErrors = { host: 'No such host' };
    world.run(askForm({ errorSummary: 'Could not connect', fieldErrors }));
    expect(world.record('call-1~2')).toMatchObject({
      status: 'open',
      errorSummary: 'Could not connect',
      fieldErrors,
      typedValues: { host: 'nowhere' },
    });
  });

  it('[FORM-2] keeps the typed values over a second correction as well', () => {
    const world = worldAfter(
      askForm(),
      answer('call-1~1', { values: { host: 'nowhere' } }),
      askForm({ errorSummary: 'Could not connect' }),
      askForm({ errorSummary: 'Still not' }),
    );
    expect(world.record('call-1~3')).toMatchObject({
      replaces: 'call-1~2',
      typedValues: { host: 'nowhere' },
    });
  });
});
