/**
 * Deadlines pass. A bug would look like an answer accepted a moment too late, a question that expires a
 * moment too early, a reminder sent twice, or a message of ten minutes after a deadline of twenty.
 */
import { describe, expect, it } from 'vitest';
import { isDue, nextDeadline } from '../../src/core/deadlines.ts';
import { describeDuration } from '../../src/protocol/duration.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import {
  answer,
  append,
  askApproval,
  askForm,
  askPlan,
  askQuestion,
  sendMessage,
  SIZES,
} from '../support/asks.ts';
import { agent, reader, sender } from '../support/callers.ts';
import {
  CoreWorld,
  MINUTE,
  SECOND,
  START,
  startedWorld,
  worldAfter,
} from '../support/core-world.ts';
import { accepted, idOf, outcomeOf, payloadOf, refused } from '../support/outcome.ts';

const EXTEND: Command = { type: 'interaction.extend', interactionId: 'call-1~1' };
const RUN: Command = { type: 'deadlines.run' };

describe('the deadline', () => {
  it.each([
    ['approval', askApproval()],
    ['question', askQuestion()],
    ['plan_review', askPlan()],
    ['form', askForm()],
  ] as const)('[TIME-1] of an %s is none, unless somebody asks for one', (_kind, ask) => {
    const world = startedWorld({ timeouts: {} });
    world.run(ask);
    expect(world.record('call-1~1')).toMatchObject({ expiresAt: null, timeoutMs: null });
    expect(nextDeadline(world.live)).toBeNull();
    world.advance(365 * 24 * 60 * MINUTE);
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[TIME-1] comes from the opening, else the session, the deployment, or the default of the opener', () => {
    const world = new CoreWorld({ timeouts: { approval: 30, question: 40, form: 50 } });
    world.run({ type: 'session.create', timeouts: { approval: 20, question: null } });
    const timeoutOf = (ask: Command) => world.record(idOf(world.run(ask))).timeoutMs;
    expect(timeoutOf(askApproval({ timeoutSeconds: 10 }))).toBe(10_000);
    expect(timeoutOf(askApproval({ toolCallId: 'call-2' }))).toBe(20_000);
    expect(timeoutOf(askApproval({ toolCallId: 'call-3', timeoutSeconds: null }))).toBeNull();
    expect(timeoutOf(askQuestion({ toolCallId: 'call-4' }))).toBeNull();
    expect(timeoutOf(askForm({ toolCallId: 'call-5' }))).toBe(50_000);
    expect(timeoutOf(askPlan({ toolCallId: 'call-6' }))).toBeNull();
    const or = { defaultTimeoutSeconds: 60 };
    expect(timeoutOf(askPlan({ toolCallId: 'call-7', ...or }))).toBe(60_000);
    expect(timeoutOf(askForm({ toolCallId: 'call-8', ...or }))).toBe(50_000);
    expect(timeoutOf(askQuestion({ toolCallId: 'call-9', ...or }))).toBeNull();
    expect(timeoutOf(askApproval({ toolCallId: 'call-0', ...or, timeoutSeconds: 5 }))).toBe(5_000);
  });

  it('[TIME-1, TIME-2] that ended an interaction can be read from the record, with the added time', () => {
    const world = worldAfter(askApproval());
    world.run(EXTEND);
    world.advance(20 * MINUTE);
    const { openedAt, expiresAt, outcome, settledBy, settledAt } = world.record('call-1~1');
    expect({ outcome, settledBy }).toMatchObject({
      outcome: 'expired',
      settledBy: { via: 'timeout' },
    });
    expect((expiresAt ?? 0) - openedAt).toBe(20 * MINUTE);
    expect(settledAt).toBe(expiresAt);
    expect(world.agentReply('call-1~1')).toMatchObject({
      message: 'Tool approval timed out after 20 minutes',
    });
  });

  it('[TIME-1] can be none at all', () => {
    const world = worldAfter(askApproval({ timeoutSeconds: null }));
    expect(world.record('call-1~1').expiresAt).toBeNull();
    expect(nextDeadline(world.live)).toBeNull();
    world.advance(365 * 24 * 60 * MINUTE);
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[TIME-2] passes at its exact instant, for the answer and for the alarm alike', () => {
    const approve = answer('call-1~1', { decision: 'approve' });
    const inTime = worldAfter(askApproval());
    inTime.now = START + 600_000 - 1;
    accepted(inTime.run(approve));

    const late = worldAfter(askApproval());
    late.now = START + 600_000;
    expect(refused(late.run(approve))).toMatchObject({
      code: 'already_settled',
      details: { outcome: 'expired', settledBy: { subject: 'system', via: 'timeout' } },
    });
  });

  it('[TIME-2] counts by the clock and not by the alarm: the first command after it settles', () => {
    const world = worldAfter(askApproval());
    world.now = START + 60 * MINUTE;
    world.run(sendMessage('Hello?'));
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'expired', settledAt: world.now });
    expect(world.log.at(-1)?.type).toBe('user_message');
  });

  it.each([
    [askApproval(), 'Tool approval timed out after 10 minutes'],
    [askQuestion(), 'User did not respond within 10 minutes'],
    [askApproval({ timeoutSeconds: 90 }), 'Tool approval timed out after 90 seconds'],
    [askQuestion({ timeoutSeconds: 7200 }), 'User did not respond within 2 hours'],
    [askPlan(), 'Plan review timed out'],
    [askForm(), 'Timed out'],
  ])('[TIME-2] gives the agent the message of the kind: case %#', (ask, message) => {
    const world = worldAfter(ask);
    world.advance(7200 * SECOND);
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message });
    const said = world.log.find((event) => event.type === 'interaction_response');
    expect(said?.payload).toMatchObject({ message });
  });

  it.each([
    [1_000, '1 second'],
    [1_500, '1.5 seconds'],
    [59_000, '59 seconds'],
    [60_000, '1 minute'],
    [90_000, '90 seconds'],
    [600_000, '10 minutes'],
    [3_600_000, '1 hour'],
    [5_400_000, '90 minutes'],
    [86_400_000, '1 day'],
    [365 * 86_400_000, '365 days'],
  ])('[TIME-2] %d ms is %s', (ms, words) => {
    expect(describeDuration(ms)).toBe(words);
  });
});

describe('the alarm', () => {
  it('[TIME-3] is due at the earliest deadline of the open interactions', () => {
    const world = worldAfter(
      askApproval(),
      askQuestion({ toolCallId: 'call-2', timeoutSeconds: 60 }),
      askQuestion({ toolCallId: 'call-3', timeoutSeconds: null, remindAfter: 45 }),
    );
    expect(nextDeadline(world.live)).toBe(START + 45 * SECOND);
    expect(isDue(world.live, START + 45 * SECOND - 1)).toBe(false);
    expect(isDue(world.live, START + 45 * SECOND)).toBe(true);
    expect(nextDeadline(null)).toBeNull();
  });

  it('[TIME-3] settles all due interactions, the oldest first, and leaves the rest', () => {
    const world = worldAfter(askQuestion({ toolCallId: 'call-2' }));
    world.advance(SECOND);
    world.run(askApproval({ toolCallId: 'call-1', timeoutSeconds: 5 }));
    world.run(askQuestion({ toolCallId: 'call-3', timeoutSeconds: 7200 }));
    world.now = START + 10 * MINUTE;
    world.run(RUN);
    const settled = world.log.filter((event) => event.type === 'interaction_response');
    expect(settled.map((event) => event.toolCallId)).toEqual(['call-2', 'call-1']);
    expect([...world.live.open.keys()]).toEqual(['call-3~1']);
  });

  it.each([
    ['a denial', askApproval({ remindAfter: 300, escalateAfter: 400 })],
    ['a given answer', askQuestion({ onExpire: { answer: { answers: { '0': 'Red' } } } })],
    ['a mark', askApproval({ onExpire: 'keep', remindAfter: 300, escalateAfter: 600 })],
    ['a reminder', askApproval({ timeoutSeconds: 3600, remindAfter: 60, escalateAfter: 60 })],
  ])('[TIME-3] run twice at one time changes nothing, after %s', (_what, ask) => {
    const world = worldAfter(ask);
    world.now += 10 * MINUTE;
    expect(accepted(world.run(RUN)).events.length).toBeGreaterThan(0);
    const { state } = world;
    expect(isDue(state, world.now)).toBe(false);
    expect(accepted(world.run(RUN)).events).toEqual([]);
    expect(world.state).toEqual(state);
  });

  it('[TIME-3] too early does nothing', () => {
    const world = worldAfter(askApproval());
    world.now += 10 * MINUTE - 1;
    expect(accepted(world.run(RUN)).events).toEqual([]);
  });
});

describe('reminder and escalation', () => {
  it('[TIME-5] each is logged once, when its time comes', () => {
    const world = worldAfter(askApproval({ remindAfter: 60, escalateAfter: 120 }));
    for (let minute = 0; minute < 9; minute += 1) world.advance(MINUTE);
    const updates = world.log.filter((event) => event.type === 'interaction_update');
    expect(updates.map(({ at, payload }) => [payload.change, at - START])).toEqual([
      ['reminder', 60_000],
      ['escalated', 120_000],
    ]);
    expect(world.record('call-1~1')).not.toHaveProperty('remindAt');
    expect(world.record('call-1~1')).not.toHaveProperty('escalateAt');
  });

  it('[TIME-5] come together when the alarm was late', () => {
    const world = worldAfter(askApproval({ remindAfter: 60, escalateAfter: 120 }));
    world.now += 5 * MINUTE;
    expect(outcomeOf(world.run(RUN))).toEqual(['interaction_update', 'interaction_update']);
  });

  it('[TIME-5] no reminder follows a settlement', () => {
    const world = worldAfter(askApproval({ remindAfter: 60 }));
    world.run(answer('call-1~1', { decision: 'approve' }));
    world.advance(5 * MINUTE);
    expect(world.log.some((event) => event.type === 'interaction_update')).toBe(false);
  });
});

describe('more time', () => {
  it('[TIME-1, TIME-5] keeps no interaction open for more than a year in all', () => {
    const year = 365 * 24 * 3600;
    const half = worldAfter(askApproval({ timeoutSeconds: year / 2 }));
    accepted(half.run(EXTEND));
    const more = worldAfter(askApproval({ timeoutSeconds: year / 2 + 1 }));
    const before = more.state;
    expect(refused(more.run(EXTEND))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('365 days'),
    });
    expect(more.state).toBe(before);
  });

  it('[TIME-5] is given once, as long as the first deadline, and is logged', () => {
    const world = worldAfter(askApproval());
    world.now += 9 * MINUTE;
    const decided = world.run(EXTEND);
    expect(payloadOf(decided, 'interaction_update')).toMatchObject({
      change: 'extended',
      expiresAt: START + 20 * MINUTE,
      by: { subject: 'ada', via: 'web' },
    });
    expect(refused(world.run(EXTEND))).toMatchObject({
      code: 'already_extended',
      details: { expiresAt: START + 20 * MINUTE },
    });
    world.advance(10 * MINUTE);
    expect(world.record('call-1~1')).toMatchObject({ status: 'open', extendedBy: 'ada' });
    world.advance(MINUTE);
    expect(world.record('call-1~1').outcome).toBe('expired');
  });

  it('[TIME-2, TIME-5] the agent receives the whole time in its message', () => {
    const world = worldAfter(askApproval(), EXTEND, askQuestion({ toolCallId: 'call-2' }));
    world.run({ type: 'interaction.extend', interactionId: 'call-2~1' });
    world.advance(20 * MINUTE);
    const message = 'Tool approval timed out after 20 minutes';
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message });
    expect(world.agentReply('call-2~1')).toMatchObject({
      message: 'User did not respond within 20 minutes',
    });
  });

  it('[TIME-5] a question asked in its place may be extended again', () => {
    const world = worldAfter(askQuestion(), EXTEND, askQuestion({}, [SIZES]));
    accepted(world.run({ type: 'interaction.extend', interactionId: 'call-1~2' }));
  });

  it('[TIME-5] is refused at the deadline, and without a deadline', () => {
    const world = worldAfter(askApproval());
    world.now += 10 * MINUTE;
    expect(refused(world.run(EXTEND)).code).toBe('already_settled');
    const endless = worldAfter(askApproval({ timeoutSeconds: null }));
    expect(refused(endless.run(EXTEND)).code).toBe('invalid_request');
  });

  it("[TIME-5, AUTH-6] is a person's to give", () => {
    for (const caller of [agent(), sender(), reader()]) {
      expect(refused(worldAfter(askApproval()).run(EXTEND, { caller })).code).toBe('forbidden');
    }
  });
});

it('[INT-10] no lapse of time approves an interaction', () => {
  const world = startedWorld();
  world.run(askApproval());
  world.run(askPlan({ toolCallId: 'call-2' }));
  world.run(askApproval({ toolCallId: 'call-3', onExpire: 'keep' }, { input: {} }));
  for (let hour = 0; hour < 48; hour += 1) world.advance(60 * MINUTE);
  expect([...world.records.values()].map((record) => record.outcome)).toEqual([
    'expired',
    'expired',
    null,
  ]);
});

const MONTH = 30 * 24 * 60 * MINUTE;

describe('a person who takes a month', () => {
  const begin = append({ type: 'turn_started', turnId: 'turn-1', payload: {} });

  it('[TIME-7] uses up none of the time of the turn', () => {
    const world = worldAfter(begin, askApproval({ turnId: 'turn-1', timeoutSeconds: null }));
    const before = world.log.length;
    world.advance(MONTH);
    expect(world.log).toHaveLength(before);
    expect(world.live.info.turn).toMatchObject({ turnId: 'turn-1' });
    world.run(answer('call-1~1', { decision: 'approve' }));
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'approved' });
    expect(world.live.info.turn).toMatchObject({ turnId: 'turn-1' });
  });

  it('[TIME-7] delays no other agent of the session', () => {
    const world = worldAfter(begin, askApproval({ turnId: 'turn-1', timeoutSeconds: null }));
    world.advance(MONTH);
    world.run(askApproval({ toolCallId: 'call-2', turnId: 'turn-1', timeoutSeconds: null }));
    world.run(answer('call-2~1', { decision: 'deny' }));
    expect(world.record('call-2~1')).toMatchObject({ outcome: 'denied' });
    expect(world.record('call-1~1')).toMatchObject({ status: 'open' });
  });
});
