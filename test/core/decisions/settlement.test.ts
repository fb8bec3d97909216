/**
 * The first settlement wins; a later command receives the recorded outcome. A bug would look like two answers
 * to one question, an outcome reported as another outcome, or an answer that reaches the wrong kind.
 */
import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/protocol/schema/command.ts';
import type { Action, Outcome } from '../../../src/protocol/schema/interaction.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import {
  answer,
  answerCall,
  append,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  sendMessage,
  SIZES,
} from '../../support/asks.ts';
import { person } from '../../support/callers.ts';
import { MINUTE, START, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const APPROVE = answer('call-1~1', { decision: 'approve' });
const DENY = answer('call-1~1', { decision: 'deny' });
const TOOL_FAILED = append({
  type: 'tool_result',
  toolCallId: 'call-1',
  payload: { isError: true, output: 'Killed' },
});

/** Every way to end an open approval that is not the clock. */
const ENDINGS: Record<string, readonly [Command, Outcome]> = {
  'a button': [APPROVE, 'approved'],
  'another button': [DENY, 'denied'],
  'a tool call answered': [answerCall('call-1', { decision: 'deny' }), 'denied'],
  'a text reply': [sendMessage('Yes', 'call-1~1'), 'approved'],
  'a cancel': [{ type: 'interaction.cancel', interactionId: 'call-1~1' }, 'cancelled'],
  'a failed tool': [TOOL_FAILED, 'cancelled'],
  'another request': [askApproval({}, { input: {} }), 'superseded'],
};
const pairs = Object.keys(ENDINGS).flatMap((first) =>
  Object.keys(ENDINGS).map((second) => [first, second] as const),
);

describe('two concurrent endings', () => {
  it.each(pairs)('[INT-6] %s, then %s: the first counts', (first, second) => {
    const world = startedWorld();
    world.run(askApproval());
    const [early, outcome] = ENDINGS[first]!;
    accepted(world.run(early));
    const settled = world.record('call-1~1');
    expect(settled.outcome).toBe(outcome);

    world.now += MINUTE;
    world.run(ENDINGS[second]![0]);
    expect(world.record('call-1~1')).toEqual(settled);
    const responses = world.log.filter(
      (event) =>
        event.type === 'interaction_response' && event.payload.interactionId === 'call-1~1',
    );
    expect(responses).toHaveLength(1);
  });

  it.each(Object.keys(ENDINGS))('[INT-6] time, then %s: time counts', (second) => {
    const world = worldAfter(askApproval());
    world.now += 10 * MINUTE;
    world.run(ENDINGS[second]![0]);
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'expired',
      settledBy: { subject: 'system', via: 'timeout' },
    });
  });

  it('[INT-7] the later command receives who ended it, how and when', () => {
    const world = worldAfter(askApproval(), APPROVE);
    world.now += MINUTE;
    expect(refused(world.run(DENY, { caller: person('bob') }))).toMatchObject({
      code: 'already_settled',
      details: {
        outcome: 'approved',
        settledBy: { subject: 'ada', via: 'web' },
        settledAt: START,
      },
    });
  });

  it('[APR-5] an approval after the tool failed changes nothing', () => {
    const world = worldAfter(askApproval(), TOOL_FAILED);
    expect(refused(world.run(APPROVE)).code).toBe('already_settled');
    expect(world.agentReply('call-1~1').behavior).toBe('deny');
  });

  it('[INT-7] a late answer is not checked', () => {
    const world = worldAfter(askApproval(), APPROVE);
    expect(refused(world.run(answer('call-1~1', { nonsense: true }))).code).toBe('already_settled');
    expect(refused(world.run(sendMessage('words', 'call-1~1'))).code).toBe('already_settled');
  });
});

describe('the addressed interaction', () => {
  it('[INT-7] an unknown interaction is not found', () => {
    const world = worldAfter(askApproval());
    for (const id of ['call-1~2', 'call-2~1', 'nonsense']) {
      expect(refused(world.run(answer(id, { decision: 'approve' }))).code).toBe('not_found');
    }
  });

  it('[INT-7, API-1] a route of one kind finds only that kind, in its own words', () => {
    const world = worldAfter(askApproval());
    const only = { kinds: ['question'], missing: 'No pending question' };
    expect(
      refused(world.run(answerCall('call-1', { answers: { '0': 'Red' } }, only))),
    ).toMatchObject({ code: 'not_found', message: 'No pending question' });
    const other = { kinds: ['approval', 'plan_review'], missing: 'No pending approval' };
    expect(refused(world.run(answerCall('call-9', { decision: 'deny' }, other))).message).toBe(
      'No pending approval',
    );
    accepted(world.run(answerCall('call-1', { decision: 'deny' }, other)));
    expect(refused(world.run(answerCall('call-1', { decision: 'deny' }, other))).code).toBe(
      'already_settled',
    );
  });

  it.each<[string, Command, JsonObject]>([
    ['approval', askApproval(), { answers: { '0': 'Red' } }],
    ['approval', askApproval(), { decision: 'adjust', feedback: 'Smaller' }],
    ['question', askQuestion(), { decision: 'approve' }],
    ['plan', askPlan(), { decision: 'approve' }],
    ['plan', askPlan(), { decline: true }],
    ['form', askForm(), { answers: { '0': 'Red' } }],
  ])('[INT-7] an answer of another kind is refused as such by a %s', (_kind, ask, given) => {
    const world = worldAfter(ask);
    expect(refused(world.run(answer('call-1~1', given))).code).toBe('wrong_kind');
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[INT-6] an answer by tool call goes to its latest interaction', () => {
    const world = worldAfter(askQuestion(), askQuestion({}, [SIZES]));
    const { inputDigest } = world.record('call-1~2');
    accepted(world.run(answerCall('call-1', { answers: { '0': ['S'] }, inputDigest })));
    expect(world.record('call-1~2').outcome).toBe('answered');
  });
});

describe('action and outcome', () => {
  const by = (given: JsonObject) => answer('call-1~1', given);
  it.each<[string, Command, Command, Action, Outcome]>([
    ['approve', askApproval(), APPROVE, 'approve', 'approved'],
    ['deny', askApproval(), DENY, 'deny', 'denied'],
    ['edit', askPlan(), by({ decision: 'edit' }), 'approve', 'approved'],
    ['clean_edit', askPlan(), by({ decision: 'clean_edit' }), 'approve', 'approved'],
    ['default', askPlan(), by({ decision: 'default' }), 'approve', 'approved'],
    ['adjust', askPlan(), by({ decision: 'adjust', feedback: 'No' }), 'deny', 'denied'],
    ['answers', askQuestion(), by({ answers: { '0': 'Red' } }), 'submit', 'answered'],
    ['a last step', askQuestion(), by({ question: 0, option: 0 }), 'submit', 'answered'],
    ['values', askForm(), by({ values: { host: 'a' } }), 'submit', 'answered'],
    ['declining', askForm(), by({ decline: true }), 'deny', 'denied'],
    ['cancel', askForm(), { type: 'interactions.cancel' }, 'cancel', 'cancelled'],
    ['a reprompt', askQuestion(), askQuestion({}, [SIZES]), 'cancel', 'superseded'],
  ])('[INT-2, INT-11] %s', (_what, ask, ending, action, outcome) => {
    const decided = worldAfter(ask).run(ending);
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      interactionId: 'call-1~1',
      toolCallId: 'call-1',
      toolName: expect.any(String),
      kind: expect.any(String),
      action,
      outcome,
      settledAt: START,
    });
  });

  it('[INT-2, INT-11] expiry', () => {
    const world = worldAfter(askApproval());
    world.now += 10 * MINUTE;
    const decided = world.run({ type: 'deadlines.run' });
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      action: 'cancel',
      outcome: 'expired',
      settledBy: { subject: 'system', via: 'timeout' },
    });
  });

  it('[INT-11] via is that of the credential, and text where text decided', () => {
    const world = worldAfter(askApproval());
    const hook = { ...person(), via: 'hook' } as const;
    world.run(sendMessage('approve', 'call-1~1'), { caller: hook });
    expect(world.record('call-1~1').settledBy).toEqual({ subject: 'ada', via: 'text' });
    world.run(askQuestion({ toolCallId: 'call-2' }));
    world.run(answerCall('call-2', { answers: { '0': 'Red' } }), { caller: hook });
    expect(world.record('call-2~1').settledBy).toEqual({ subject: 'ada', via: 'hook' });
  });
});

describe('after every ending', () => {
  it.each<[string, Command, Command]>([
    ['submit', askQuestion(), answer('call-1~1', { answers: { '0': 'Red' } })],
    ['approve', askApproval(), APPROVE],
    ['deny', askApproval(), DENY],
    ['decline', askForm(), answer('call-1~1', { decline: true })],
    ['cancel', askForm(), { type: 'interaction.cancel', interactionId: 'call-1~1' }],
    ['tool failure', askApproval(), TOOL_FAILED],
  ])('[PEND-3] %s takes pending back right after the response', (_what, ask, ending) => {
    const types = outcomeOf(worldAfter(ask).run(ending));
    expect(types.slice(-2)).toEqual(['interaction_response', 'interaction_pending']);
  });

  it('[PEND-3] expiry does too', () => {
    const world = worldAfter(askApproval());
    world.advance(10 * MINUTE);
    expect(world.log.slice(-2).map((event) => event.type)).toEqual([
      'interaction_response',
      'interaction_pending',
    ]);
    expect(world.log.at(-1)?.payload).toMatchObject({ pending: false, interactionId: 'call-1~1' });
  });
});
