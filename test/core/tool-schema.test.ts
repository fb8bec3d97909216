/** A bug here lets an agent's schema hold a session up, or lets an edit through that does not fit. */
import { describe, expect, it } from 'vitest';
import { checkToolInput, toolSchemaProblem } from '../../src/core/tool-schema.ts';
import type { JsonObject } from '../../src/protocol/json.ts';

const command: JsonObject = {
  type: 'object',
  properties: { command: { type: 'string', maxLength: 10 } },
  required: ['command'],
  additionalProperties: false,
};

/** Each level refers twice to the one below it. */
function doubling(levels: number): JsonObject {
  const definitions: JsonObject = { level0: { type: 'object' } };
  for (let level = 1; level <= levels; level += 1) {
    const below = { $ref: `#/$defs/level${level - 1}` };
    definitions[`level${level}`] = { allOf: [below, below] };
  }
  return { $ref: `#/$defs/level${levels}`, $defs: definitions };
}

describe('an edited input', () => {
  it('[APR-2] fits, or its errors say where it does not', () => {
    expect(checkToolInput(command, { command: 'ls' })).toBeUndefined();
    expect(checkToolInput(command, { command: 7 })).toHaveProperty('command');
    expect(checkToolInput(command, {})).toBeDefined();
    expect(checkToolInput(command, { command: 'ls', more: 1 })).toBeDefined();
  });

  it('[APR-2] follows references inside the schema', () => {
    const schema = {
      properties: { a: { $ref: '#/$defs/word' } },
      $defs: { word: { type: 'string' } },
    };
    expect(toolSchemaProblem(schema)).toBeUndefined();
    expect(checkToolInput(schema, { a: 'b' })).toBeUndefined();
    expect(checkToolInput(schema, { a: 1 })).toBeDefined();
  });

  it('[APR-2] is not matched against patterns, which are properties like others where they are names', () => {
    const evil = { properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    expect(checkToolInput(evil, { text: `${'a'.repeat(5_000)}!` })).toBeUndefined();
    const named = { properties: { pattern: { type: 'number' } } };
    expect(checkToolInput(named, { pattern: 'x' })).toBeDefined();
  });

  it('[LIM-4] too large to check is refused, not checked', () => {
    const large = { list: Array.from({ length: 6_000 }, (_, index) => index) };
    expect(checkToolInput({ type: 'object' }, large)).toEqual({
      '': 'Too large to check against the schema',
    });
  });
});

describe('a schema', () => {
  it('[LIM-4] that doubles with each reference is measured as written out', () => {
    expect(toolSchemaProblem(doubling(4))).toBeUndefined();
    expect(toolSchemaProblem(doubling(40))).toMatch(/more than 2000 parts/);
  });

  it.each([
    ['goes in a circle', { $ref: '#' }],
    ['goes in a circle', { properties: { child: { $ref: '#' } } }],
    ['leaves the schema', { $ref: 'https://example.com/schema.json' }],
    ['nothing is at', { $ref: '#/$defs/missing' }],
  ])('[APR-2] that %s is refused at opening', (why, schema) => {
    expect(toolSchemaProblem(schema)).toContain(why);
  });
});
