/**
 * A form is checked when it is opened and when it is filled in. A bug would look like values that do
 * not fit their fields reaching the tool, or a form that a wrong value closes.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { answer, askForm, PORT } from '../support/asks.ts';
import { MINUTE, startedWorld, worldAfter } from '../support/core-world.ts';
import { payloadOf, refused } from '../support/outcome.ts';

const fill = (values: JsonObject) => answer('call-1~1', { values });

describe('filling in', () => {
  it('[FORM-1, INT-11] values that fit are handed to the tool', () => {
    const world = worldAfter(askForm());
    const decided = world.run(fill({ host: 'localhost', port: 8080 }));
    expect(payloadOf(decided, 'interaction_response')).toMatchObject({
      action: 'submit',
      outcome: 'answered',
      values: { host: 'localhost', port: 8080 },
    });
    expect(world.told('call-1~1')).toEqual({
      behavior: 'allow',
      updatedInput: { host: 'localhost', port: 8080 },
    });
  });

  it('[FORM-1] values that do not fit are refused field by field, and it stays open', () => {
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
    expect(world.told('call-1~1')).toEqual({ behavior: 'deny', message });
  });

  it('[FORM-3, TIME-2] out of time it says so after five minutes', () => {
    const world = worldAfter(askForm());
    world.advance(5 * MINUTE);
    expect(world.told('call-1~1')).toEqual({ behavior: 'deny', message: 'Timed out' });
  });
});

describe('opening', () => {
  it.each<[string, JsonObject]>([
    ['a nested object', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
    ['no field', { type: 'object', properties: {} }],
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
