/**
 * A form is checked when it is opened and when it is filled in. A bug would look like values that do
 * not fit their fields reaching the tool, or a form that a wrong value closes.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { answer, askForm, PORT, sendMessage } from '../../support/asks.ts';
import { MINUTE, startedWorld, worldAfter } from '../../support/core-world.ts';
import { accepted, payloadOf, refused } from '../../support/outcome.ts';

const fill = (values: JsonObject) => answer('call-1~1', { values });

describe('filling in', () => {
  it('[FORM-1, INT-11] valid values reach the tool', () => {
    const world = worldAfter(askForm());
    const decided = world.run(fill({ host: 'localhost', port: 8080 }));
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      action: 'submit',
      outcome: 'answered',
      values: { host: 'localhost', port: 8080 },
    });
    expect(world.agentReply('call-1~1')).toEqual({
      behavior: 'allow',
      updatedInput: { host: 'localhost', port: 8080 },
    });
  });

  it('[FORM-1] invalid values are refused field by field, and the form stays open', () => {
    const world = worldAfter(askForm());
    expect(refused(world.run(fill({ port: 0, color: 'red' })))).toMatchObject({
      code: 'invalid_values',
      details: {
        fieldErrors: {
          host: 'This field is required.',
          port: 'Write a number of at least 1.',
          color: 'This form has no such field.',
        },
      },
    });
    expect(world.record('call-1~1')).toMatchObject({ status: 'open', rev: 1 });
    world.run(fill({ host: 'localhost' }));
    expect(world.record('call-1~1')).toMatchObject({
      outcome: 'answered',
      values: { host: 'localhost' },
    });
  });

  it.each([[{ host: '' }], [{ host: '   ' }], [{}]])('[INT-10] %j is not filled in', (values) => {
    const world = worldAfter(askForm());
    expect(refused(world.run(fill(values))).code).toBe('invalid_values');
  });

  it.each<[JsonObject]>([
    [{}],
    [{ values: null }],
    [{ values: [] }],
    [{ values: 'localhost' }],
    [{ values: { host: 'a' }, decline: true }],
  ])('[INT-10] %j decides nothing', (given) => {
    const world = worldAfter(askForm());
    expect(refused(world.run(answer('call-1~1', given))).code).toBe('invalid_answer');
  });

  it.each([
    [{ decline: true }, 'User declined to answer'],
    [{ decline: true, reason: 'Ask Bob' }, 'User declined to answer. Reason: Ask Bob'],
  ])('[INT-15] %j is a denial', (given, message) => {
    const world = worldAfter(askForm(), answer('call-1~1', given));
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'denied' });
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message });
  });

  it('[FORM-3, TIME-2] expires after five minutes with its own message', () => {
    const world = worldAfter(askForm());
    world.advance(5 * MINUTE);
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'deny', message: 'Timed out' });
  });
});

describe('a form without fields', () => {
  const CONSENT = { type: 'object', properties: {} };

  it('[FORM-1] is consent when the answer is empty, and only then', () => {
    const world = worldAfter(askForm({}, CONSENT));
    for (const given of [{}, { values: null }, { values: [] }]) {
      expect(refused(world.run(answer('call-1~1', given))).code).toBe('invalid_answer');
    }
    expect(refused(world.run(fill({ more: true }))).code).toBe('invalid_values');
    expect(world.record('call-1~1').status).toBe('open');
    world.run(fill({}));
    expect(world.record('call-1~1')).toMatchObject({ outcome: 'answered', values: {} });
    expect(world.agentReply('call-1~1')).toEqual({ behavior: 'allow', updatedInput: {} });
  });

  it('[FORM-1, INT-15] is refused by declining it, and by time', () => {
    const declined = worldAfter(
      askForm({}, CONSENT),
      answer('call-1~1', { decline: true, reason: 'Not now' }),
    );
    expect(declined.agentReply('call-1~1')).toMatchObject({ behavior: 'deny' });
    const late = worldAfter(askForm({}, CONSENT));
    late.advance(5 * MINUTE);
    expect(late.agentReply('call-1~1')).toEqual({ behavior: 'deny', message: 'Timed out' });
  });

  it('[FORM-1, INT-10, TIME-6] has no answer declared for its deadline', () => {
    const world = startedWorld();
    const ask = askForm({ onExpire: { answer: { values: {} } } }, CONSENT);
    expect(refused(world.run(ask))).toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('time never gives consent'),
    });
    expect(world.live.open.size).toBe(0);
  });

  it('[FORM-1, TXT-1] is answered by no text, not even with replyTo', () => {
    const world = worldAfter(askForm({}, CONSENT));
    expect(accepted(world.run(sendMessage('yes'))).reply.type).toBe('queued');
    expect(refused(world.run(sendMessage('yes', 'call-1~1'))).code).toBe('text_not_an_answer');
    expect(world.record('call-1~1').status).toBe('open');
  });
});

describe('opening', () => {
  it.each<[string, JsonObject]>([
    ['a nested object', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
    ['fields that are no object', { type: 'object', properties: [] }],
    ['a required field and no fields', { type: 'object', properties: {}, required: ['user'] }],
    ['a required field it does not have', { ...PORT, required: ['user'] }],
    ['a default that does not fit', withField({ type: 'integer', default: 1.5 })],
    ['a range with nothing in it', withField({ type: 'number', minimum: 2, maximum: 1 })],
    ['a pattern that is too large', withField({ type: 'string', pattern: '(a{500}){500}' })],
    ['a password', withField({ type: 'string', title: 'Password' })],
    ['a secret format', withField({ type: 'string', format: 'password' })],
  ])('[FORM-1, FORM-3] a form with %s opens nothing', (_what, schema) => {
    const world = startedWorld();
    expect(refused(world.run(askForm({}, schema))).code).toBe('invalid_request');
    expect(world.live.open.size).toBe(0);
  });
});

function withField(field: JsonObject): JsonObject {
  return { type: 'object', properties: { field } };
}
