/**
 * Named choices of an approval. A bug would look like a label that hides what it does, a person's "no" that lets a tool
 * run, or a rule that nobody chose.
 */
import { describe, expect, it } from 'vitest';
import { effectOfChoice } from '../../../src/protocol/approval-choices.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { ApprovalChoice } from '../../../src/protocol/schema/kinds/approval.ts';
import { answer, answerCall, askApproval, COMMAND, sendMessage } from '../../support/asks.ts';
import { agent } from '../../support/callers.ts';
import { startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, outcomeOf, payloadOf, refused } from '../../support/outcome.ts';

const CHOICES: readonly ApprovalChoice[] = [
  { id: 'once', label: 'Push', tone: 'primary', decision: 'approve' },
  { id: 'exact', label: 'Always this push', decision: 'approve', remember: 'exact' },
  { id: 'tool', label: 'Always push', decision: 'approve', remember: 'tool' },
  { id: 'never', label: 'Never push', tone: 'danger', decision: 'deny' },
  { id: 'halt', label: 'Stop', decision: 'deny', stop: true },
];
const asking = (choices: readonly JsonObject[], more: JsonObject = {}) =>
  askApproval({}, { choices: [...choices], ...more });
const OFFERED = asking(CHOICES as unknown as JsonObject[]);
const one = (more: JsonObject = {}): JsonObject => ({
  id: 'a',
  label: 'A',
  decision: 'approve',
  ...more,
});

describe('an opening with choices', () => {
  it.each<[string, readonly JsonObject[], JsonObject?]>([
    ['none', []],
    ['nine', Array.from({ length: 9 }, (_, at) => one({ id: `${at}`, label: `${at}` }))],
    ['two with one id', [one(), one({ label: 'B' })]],
    ['two with one label', [one(), one({ id: 'b', label: ' A ' })]],
    ['a blank id', [one({ id: ' ' })]],
    ['a blank label', [one({ label: '\t' })]],
    ['a long id', [one({ id: 'x'.repeat(LIMITS.choiceIdChars + 1) })]],
    ['a long label', [one({ label: 'x'.repeat(LIMITS.optionLabelChars + 1) })]],
    ['no decision', [{ id: 'a', label: 'A' }]],
    ['another decision', [one({ decision: 'allow' })]],
    ['a remembered denial', [one({ decision: 'deny', remember: 'tool' })]],
    ['an approval that stops', [one({ stop: true })]],
    ['another field', [one({ style: 'red' })]],
    ['offers beside them', [one()], { offers: ['once'] }],
  ])('[APR-6] is refused with %s', (_name, choices, more) => {
    expect(refused(startedWorld().run(asking(choices, more))).code).toBe('invalid_request');
  });

  it('[APR-6] takes eight, with ids that are any text', () => {
    const many = Array.from({ length: 8 }, (_, at) => one({ id: `läßt/${at} `, label: `${at}` }));
    expect(outcomeOf(startedWorld().run(asking(many)))).toEqual([
      'interaction_pending',
      'interaction_request',
    ]);
  });
});

describe('a choice', () => {
  it('[APR-6] that approves lets the tool run, and says by which', () => {
    const world = worldAfter(OFFERED, answer('call-1~1', { choice: 'once', reason: 'fine' }));
    expect(world.agentReply('call-1~1')).toEqual({
      behavior: 'allow',
      updatedInput: COMMAND,
      choice: 'once',
    });
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'approved',
      decision: { decision: 'approve', offer: 'once', choice: 'once' },
      reason: 'fine',
    });
    expect(world.live.rules).toEqual([]);
  });

  it.each([
    ['tool', { everyCommand: true }, { toolName: 'Bash', everyCommand: true }],
    ['exact', {}, { toolName: 'Bash', inputDigest: expect.any(String) }],
  ])('[APR-6, APR-3] that remembers (%s) keeps that rule alone', (choice, more, rule) => {
    const world = worldAfter(OFFERED, answer('call-1~1', { choice, ...more }));
    expect(world.record('call-1~1').decision).toEqual({
      decision: 'approve',
      offer: 'session',
      choice,
    });
    expect(world.live.rules).toEqual([expect.objectContaining(rule)]);
    expect('inputDigest' in (world.live.rules[0] ?? {})).toBe(choice === 'exact');
  });

  it('[APR-3, TEAM-2] for every command needs that spelled out', () => {
    const world = worldAfter(OFFERED);
    const given = (more: JsonObject) => refused(world.run(answer('call-1~1', more)));
    expect(given({ choice: 'tool' })).toMatchObject({
      code: 'invalid_values',
      details: { fieldErrors: { everyCommand: expect.stringContaining('any command') } },
    });
    for (const choice of ['once', 'exact', 'never']) {
      expect(given({ choice, everyCommand: true }).code).toBe('invalid_answer');
    }
    expect(world.live.rules).toEqual([]);
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[APR-6] that denies says so with its label', () => {
    const world = worldAfter(OFFERED);
    const decided = world.run(answer('call-1~1', { choice: 'never', reason: 'too early' }));
    const message = 'User denied tool execution. Choice: Never push. Reason: too early';
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      outcome: 'denied',
      message,
    });
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message, choice: 'never' });
  });

  it('[APR-7] may stop the turn', () => {
    const world = worldAfter(OFFERED, answer('call-1~1', { choice: 'halt' }));
    expect(world.agentReply('call-1~1')).toEqual({
      behavior: 'deny',
      message: 'User denied tool execution and stopped the turn. Choice: Stop',
      choice: 'halt',
      stop: true,
    });
  });

  it('[APR-7] that denies may be given with a stop', () => {
    const world = worldAfter(OFFERED, answer('call-1~1', { choice: 'never', stop: true }));
    expect(world.agentReply('call-1~1')).toMatchObject({ choice: 'never', stop: true });
  });

  it('[APR-6, APR-2] takes an edit if it approves', () => {
    const world = worldAfter(asking(CHOICES as unknown as JsonObject[], { allowEdit: true }));
    const updatedInput = { command: 'ls' };
    const given = (choice: string) => world.run(answer('call-1~1', { choice, updatedInput }));
    expect(refused(given('never')).code).toBe('invalid_answer');
    accepted(given('once'));
    expect(world.record('call-1~1').updatedInput).toEqual(updatedInput);
  });

  it.each<[JsonObject, string]>([
    [{ choice: 'unknown' }, 'not_offered'],
    [{ choice: 'Push' }, 'not_offered'],
    [{ choice: 'ONCE' }, 'not_offered'],
    [{ decision: 'approve' }, 'not_offered'],
    [{ decision: 'approve', offer: 'session', everyCommand: true }, 'not_offered'],
    [{ choice: 'never', decision: 'approve' }, 'not_offered'],
    [{ choice: 'once', decision: 'deny' }, 'not_offered'],
    [{ choice: 'once', updatedInput: { command: 'ls' } }, 'not_offered'],
    [{ choice: 'once', offer: 'session' }, 'invalid_answer'],
    [{ choice: 'once', stop: true }, 'invalid_answer'],
    [{ choice: 'never', stop: false }, 'invalid_answer'],
    [{ choice: ['once'] }, 'invalid_answer'],
    [{ choice: ' ' }, 'invalid_answer'],
    [{ decision: 'approve', stop: true }, 'invalid_answer'],
  ])('[APR-6] %j decides nothing', (given, code) => {
    const world = worldAfter(OFFERED);
    const refusal = refused(world.run(answer('call-1~1', given)));
    expect(refusal.code).toBe(code);
    expect(world.record('call-1~1').status).toBe('open');
  });

  it('[APR-6] is refused by a request without choices, and the refusal names what is offered', () => {
    const plain = worldAfter(askApproval());
    expect(refused(plain.run(answer('call-1~1', { choice: 'once' }))).code).toBe('not_offered');
    const world = worldAfter(OFFERED);
    expect(refused(world.run(answer('call-1~1', { decision: 'approve' }))).details).toEqual({
      choices: ['once', 'exact', 'tool', 'never', 'halt'],
    });
  });

  it.each([{}, { stop: true }])('[APR-6, APR-7] a mere denial always counts: %j', (more) => {
    const world = worldAfter(
      asking([one()]),
      answer('call-1~1', { decision: 'deny', ...(more as JsonObject) }),
    );
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'denied',
      decision: { decision: 'deny', ...more },
    });
  });

  it('[APR-6, INT-12] answers only the request that showed it', () => {
    const world = worldAfter(OFFERED);
    const { inputDigest } = world.record('call-1~1');
    accepted(world.run(asking([one({ id: 'once', label: 'Push everything' })])));
    const late = world.run(answer('call-1~1', { choice: 'once', inputDigest }));
    expect(refused(late).code).toBe('already_settled');
    expect(refused(world.run(answerCall('call-1', { choice: 'once' }))).code).toBe('input_changed');
    const seen = world.run(answerCall('call-1', { choice: 'once', inputDigest }));
    expect(refused(seen).code).toBe('input_changed');
    expect(world.record('call-1~2').status).toBe('open');
  });

  it('[APR-6, AUTH-8] of its own asking answers no agent', () => {
    const world = worldAfter(OFFERED);
    const given = world.run(answer('call-1~1', { choice: 'once' }), {
      caller: { ...agent(), scopes: ['agent', 'answer'] },
    });
    expect(refused(given).code).toBe('forbidden');
  });

  it('[APR-6, INT-7] repeated by the same person is no other decision', () => {
    const world = worldAfter(OFFERED, answer('call-1~1', { choice: 'never' }));
    const again = refused(world.run(answer('call-1~1', { choice: 'never' })));
    expect(again).toMatchObject({ code: 'already_settled', details: { yours: true } });
    const other = refused(world.run(answer('call-1~1', { decision: 'deny' })));
    expect(other.details).not.toHaveProperty('yours');
  });
});

describe('a text', () => {
  const said = (text: string, choices: readonly JsonObject[]) => {
    const world = worldAfter(asking(choices));
    const decided = world.run(sendMessage(text, 'call-1~1'));
    return decided.ok ? world.record('call-1~1').decision : decided.code;
  };
  const all = CHOICES as unknown as readonly JsonObject[];

  it.each([
    ['once', 'once'],
    ['  PUSH ', 'once'],
    ['always this push', 'exact'],
    ['Never Push', 'never'],
  ])('[APR-6, TXT-4] %j takes the choice that it names', (text, choice) => {
    expect(said(text, all)).toMatchObject({ choice });
  });

  it.each(['yes', 'approve', 'allow', 'push it', ''])(
    '[APR-6, TXT-4] %j names no choice',
    (text) => {
      expect(said(text, all)).toBe('text_not_an_answer');
    },
  );

  it.each(['no', 'deny', 'Reject'])('[APR-6, TXT-4] %j denies', (text) => {
    expect(said(text, all)).toEqual({ decision: 'deny' });
  });

  it.each<[string, JsonObject, string | JsonObject]>([
    ['yes', one({ id: 'yes', decision: 'deny' }), 'text_not_an_answer'],
    ['yes', one({ label: 'Yes', decision: 'deny' }), 'text_not_an_answer'],
    ['approve', one({ label: 'APPROVE', decision: 'deny' }), 'text_not_an_answer'],
    ['deny', one({ id: 'deny' }), 'text_not_an_answer'],
    ['no', one({ label: ' No ' }), 'text_not_an_answer'],
    ['reject', one({ label: 'reject' }), 'text_not_an_answer'],
    ['yes', one({ label: 'Yes' }), { decision: 'approve', offer: 'once', choice: 'a' }],
    ['no', one({ id: 'no', decision: 'deny' }), { decision: 'deny', choice: 'no' }],
  ])('[APR-6, TXT-4] %j never decides against its own word: %j', (text, choice, result) => {
    expect(said(text, [choice])).toEqual(result);
  });

  it('[APR-6, TXT-4] that names two choices takes none', () => {
    const two = [one({ id: 'x', label: 'y' }), one({ id: 'y', label: 'z', decision: 'deny' })];
    expect(said('y', two)).toBe('text_not_an_answer');
    expect(said('z', two)).toEqual({ decision: 'deny', choice: 'y' });
    expect(said('no', [one({ id: 'no', label: 'a' }), one({ id: 'b', label: 'no' })])).toBe(
      'text_not_an_answer',
    );
  });

  it('[APR-6, TXT-4] without replyTo answers no approval, whatever its choices are called', () => {
    const world = worldAfter(OFFERED);
    expect(accepted(world.run(sendMessage('once'))).reply).toMatchObject({ type: 'queued' });
    expect(world.record('call-1~1').status).toBe('open');
  });
});

describe('the words for a choice', () => {
  it.each<[Partial<ApprovalChoice>, string]>([
    [{ decision: 'approve' }, 'Approves this call.'],
    [{ decision: 'approve', remember: 'exact' }, 'same input'],
    [{ decision: 'approve', remember: 'tool' }, 'every Bash call'],
    [{ decision: 'deny' }, 'Denies this call.'],
    [{ decision: 'deny', stop: true }, 'stops the agent’s turn'],
  ])('[APR-6] say what %j does, whatever its label says', (choice, words) => {
    const hostile = { id: 'a', label: 'Deny, please', ...choice } as ApprovalChoice;
    expect(effectOfChoice(hostile, 'Bash')).toContain(words);
  });
});
