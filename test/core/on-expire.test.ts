/**
 * The effect of a deadline: a denial, a declared answer, or a mark. A bug would look like an approval by
 * time, or a declared answer that fails only at the deadline, too late for its author to correct.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import {
  answer,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  COLOR,
  SIZES,
} from '../support/asks.ts';
import { MINUTE, START, startedWorld, worldAfter } from '../support/core-world.ts';
import { accepted, outcomeOf, refused } from '../support/outcome.ts';

const given = (answer: JsonObject) => ({ onExpire: { answer } });

describe('a declared answer', () => {
  it('[TIME-6] of a question is given at the deadline, and is marked', () => {
    const world = worldAfter(askQuestion(given({ answers: { '0': 'Red' } })));
    world.advance(10 * MINUTE);
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'answered',
      answers: { '0': 'Red' },
      defaulted: true,
      settledBy: { subject: 'system', via: 'timeout' },
      settledAt: START + 10 * MINUTE,
    });
    expect(world.agentReply('call-1~1').behavior).toBe('allow');
    expect(world.log.slice(-2).map((event) => event.type)).toEqual([
      'interaction_response',
      'interaction_pending',
    ]);
  });

  it('[TIME-6] of a form is given at the deadline', () => {
    const world = worldAfter(askForm(given({ values: { host: 'localhost' } })));
    world.advance(5 * MINUTE);
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'answered',
      values: { host: 'localhost' },
      defaulted: true,
    });
  });

  it('[TIME-6, QST-4] counts whole, whatever steps came before', () => {
    const answers = { '0': 'Red', '1': ['S'] };
    const world = worldAfter(
      askQuestion(given({ answers }), [COLOR, SIZES]),
      answer('call-1~1', { question: 0, option: 2 }),
    );
    world.advance(10 * MINUTE);
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'answered',
      answers,
      partialAnswers: { '0': 'Blue' },
    });
  });

  it('[TIME-6] given by a person instead is not marked', () => {
    const world = worldAfter(askQuestion(given({ answers: { '0': 'Red' } })));
    world.run(answer('call-1~1', { answers: { '0': 'Red' } }));
    expect(world.record('call-1~1')).not.toHaveProperty('defaulted');
  });

  it.each([
    ['approval', askApproval(given({ decision: 'approve' }))],
    ['approval', askApproval(given({ decision: 'deny' }))],
    ['plan', askPlan(given({ decision: 'edit' }))],
  ])('[TIME-6, INT-10] is never one of an %s', (_kind, ask) => {
    const world = startedWorld();
    expect(refused(world.run(ask)).code).toBe('invalid_request');
    expect(world.live.open.size).toBe(0);
  });

  it.each<[string, JsonObject]>([
    ['nothing', {}],
    ['no answers', { answers: {} }],
    ['half of the answers', { answers: { '0': 'Red' } }],
    ['one answer too many', { answers: { '0': 'Red', '1': ['S'], '2': 'more' } }],
    ['a blank answer', { answers: { '0': ' ', '1': ['S'] } }],
    ['a single step', { question: 0, option: 0 }],
    ['a refusal', { decline: true }],
    ['an answer of another kind', { decision: 'approve' }],
  ])('[TIME-6] that is %s is refused when the question is opened', (_what, declared) => {
    const world = startedWorld();
    const ask = askQuestion(given(declared), [COLOR, SIZES]);
    expect(refused(world.run(ask)).code).toMatch(/^invalid_/);
    expect(world.live.open.size).toBe(0);
  });

  it('[TIME-6, FORM-1] that does not fit its form is refused at the opening', () => {
    const ask = askForm(given({ values: { host: 'localhost', port: 0 } }));
    expect(refused(startedWorld().run(ask))).toMatchObject({ code: 'invalid_request' });
  });
});

describe('keep', () => {
  const KEEP = askApproval({ onExpire: 'keep' });

  it('[TIME-6] marks the interaction overdue, and leaves it open', () => {
    const world = worldAfter(KEEP);
    world.now += 10 * MINUTE;
    const decided = accepted(world.run({ type: 'deadlines.run' }));
    expect(decided.events).toMatchObject([
      {
        type: 'interaction_update',
        payload: { change: 'overdue', expiresAt: null, by: { via: 'timeout' } },
      },
    ]);
    expect(world.record('call-1~1')).toMatchObject({
      status: 'open',
      overdue: true,
      expiresAt: null,
    });
  });

  it('[TIME-6] an overdue approval can still be given, however late', () => {
    const world = worldAfter(KEEP);
    world.advance(30 * 24 * 60 * MINUTE);
    accepted(world.run(answer('call-1~1', { decision: 'approve' })));
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'approved', overdue: true });
  });

  it('[TIME-5, TIME-6] logs earlier marks before the overdue mark, also with a late alarm', () => {
    const world = worldAfter(
      askApproval({ onExpire: 'keep', remindAfter: 60, escalateAfter: 600 }),
    );
    world.now += 11 * MINUTE;
    const decided = accepted(world.run({ type: 'deadlines.run' }));
    const changes = decided.events.map(({ payload }) => 'change' in payload && payload.change);
    expect(changes).toEqual(['reminder', 'escalated', 'overdue']);
  });

  it('[TIME-5, TIME-6] a reminder for later still comes', () => {
    const world = worldAfter(askApproval({ onExpire: 'keep', remindAfter: 1200 }));
    world.advance(10 * MINUTE);
    world.advance(10 * MINUTE);
    expect(world.log.at(-1)).toMatchObject({ payload: { change: 'reminder' } });
  });

  it('[TIME-6] marks it once', () => {
    const world = worldAfter(KEEP);
    world.advance(10 * MINUTE);
    world.advance(10 * MINUTE);
    const updates = world.log.filter((event) => event.type === 'interaction_update');
    expect(updates).toHaveLength(1);
  });
});

it('[TIME-6] without onExpire, time denies', () => {
  const world = worldAfter(askQuestion());
  expect(world.record('call-1~1').onExpire).toBe('deny');
  world.now += 10 * MINUTE;
  expect(outcomeOf(world.run({ type: 'deadlines.run' }))).toEqual([
    'interaction_response',
    'interaction_pending',
  ]);
  expect(world.agentReply('call-1~1').behavior).toBe('deny');
});
