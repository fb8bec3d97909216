/**
 * The cost of checking a tool's input. A bug here is a schema, or a text, that stops the session and every
 * other session of the process.
 */
import { format as LIBRARY_FORMATS } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { approval } from '../../../src/core/kinds/approval.ts';
import { checkToolInput, toolSchemaProblem } from '../../../src/core/tools/check-tool-input.ts';
import { judgeSchema } from '../../../src/core/tools/schema/judge.ts';
import { readToolSchema } from '../../../src/core/tools/schema/read-schema.ts';
import { startCheck } from '../../../src/core/tools/schema/schema-check.ts';
import type { Json, JsonObject } from '../../../src/protocol/json.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { askApproval } from '../../support/asks.ts';
import { worldAfter } from '../../support/core-world.ts';
import { lowestCpuMs } from '../../support/cpu-time.ts';

const LONG = 100_000;
/** Texts that keep an expression busy: long runs, runs of what may be parted in many ways, and a wrong end. */
const HOSTILE: readonly string[] = [
  `http://${'a'.repeat(LONG)}!`,
  `http://${'a-'.repeat(LONG / 2)}!`,
  `http://${'1.'.repeat(LONG / 2)}!`,
  `http://${'ü'.repeat(LONG)}`,
  `http://a${'\u0323\u0301'.repeat(LONG / 2)}`,
  `http://${Array.from({ length: 20_000 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')}`,
  `${'a@'.repeat(LONG / 2)}!`,
  `a@${'a.'.repeat(LONG / 2)}!`,
  `a@${'a'.repeat(LONG)}.!`,
  `${'a:'.repeat(LONG / 2)}!`,
  `P${'1'.repeat(LONG)}!`,
  `P${'1,'.repeat(LONG / 2)}Y`,
  `2026-01-01T00:00:00.${'1'.repeat(LONG)}!`,
  `/${'~0'.repeat(LONG / 2)}~`,
  `{${'a,'.repeat(LONG / 2)}`,
  `${'(a+)+'.repeat(LONG / 5)}!`,
  `${':'.repeat(LONG)}!`,
  ' '.repeat(LONG),
  `${'\t'.repeat(LONG)}!`,
];
const FORMATS = new Set([
  ...Object.keys(LIBRARY_FORMATS),
  'password',
  'iri',
  'iri-reference',
  'idn-email',
  'idn-hostname',
  'int32',
  'binary',
  'color',
  'toString',
  '__proto__',
  'a format that nobody knows',
  '',
]);

describe('a format', () => {
  it.each([...FORMATS])('[LIM-4] %j takes under 50 ms for 100,000 hostile characters', (format) => {
    const schema: JsonObject = { properties: { text: { type: 'string', format } } };
    for (const text of HOSTILE) {
      const ms = lowestCpuMs(3, () => checkToolInput(schema, { text }));
      expect(ms, JSON.stringify(text.slice(0, 30))).toBeLessThan(50);
    }
  });

  it.each(['pattern', 'patternProperties', 'propertyNames'])(
    '[LIM-4] and the check of an edited input does not run an expression in %s either',
    (keyword) => {
      const evil = '^(a+)+$';
      const value: Json = keyword === 'pattern' ? evil : { [evil]: { pattern: evil } };
      const inputSchema = { properties: { text: { [keyword]: value } }, [keyword]: value };
      const world = worldAfter(askApproval({}, { allowEdit: true, inputSchema }));
      const record = world.record('call-1~1');
      const text = `${'a'.repeat(LONG)}!`;
      const given = { decision: 'approve', updatedInput: { text, [text]: text } } as const;
      expect(lowestCpuMs(3, () => approval.interpret(record, given))).toBeLessThan(50);
    },
  );

  it('[APR-2] is checked where forms check it, and is left to the tool otherwise', () => {
    const problem = (format: string, text: string) =>
      checkToolInput({ properties: { text: { format } } }, { text });
    for (const format of ['email', 'uri', 'date', 'date-time']) {
      expect(problem(format, '?'), format).toHaveProperty('text');
    }
    expect(problem('email', 'ada@example.com')).toBeUndefined();
    expect(problem('uri', 'https://example.com/a?b#c')).toBeUndefined();
    expect(problem('uri', `https://${'a'.repeat(300)}.example/`)).toHaveProperty('text');
    expect(problem('uri', `data:text/plain,${'a'.repeat(LONG)}`)).toBeUndefined();
    for (const format of ['url', 'ipv4', 'uuid', 'toString', 'unheard-of']) {
      expect(problem(format, '?'), format).toBeUndefined();
    }
  });
});

const many = (length: number) => Array.from({ length }, (_, index) => index);
const inList = (items: JsonObject): JsonObject => ({ properties: { list: { items } } });
const objects: JsonObject = { list: many(4_900).map(() => ({})) };
const names = many(1_900).map((index) => `name${index}`);
const members = Object.fromEntries(many(19_000).map((index) => [`name${index}`, index]));
const numbers: JsonObject = { list: many(19_000) };

/** Each level refers twice to the one below it. */
function doubling(levels: number): JsonObject {
  const definitions: JsonObject = { level0: { type: 'object' } };
  for (let level = 1; level <= levels; level += 1) {
    const below = { $ref: `#/$defs/level${level - 1}` };
    definitions[`level${level}`] = { allOf: [below, below] };
  }
  return { $ref: `#/$defs/level${levels}`, $defs: definitions };
}

const chain: JsonObject = Object.fromEntries(
  many(900).map((index) => [`c${index}`, index === 899 ? true : { $ref: `#/$defs/c${index + 1}` }]),
);
const all = (part: JsonObject): JsonObject => ({ allOf: many(400).map(() => part) });

/** Each is within every published limit, and takes millions of steps without a count. */
const HOSTILE_SCHEMAS: readonly [string, JsonObject, JsonObject][] = [
  ['900 anyOf', inList({ anyOf: many(900).map(() => ({ type: 'string' })) }), objects],
  ['900 anyOf that fit late', inList({ anyOf: [...many(900).map(() => false), true] }), objects],
  ['1,900 required', inList({ required: names }), objects],
  ['1,900 required, one way of two', { anyOf: [inList({ required: names }), false] }, objects],
  ['1,900 values', inList({ enum: names }), objects],
  [
    '1,900 values, the last of which fits',
    inList({ enum: names }),
    { list: names.map(() => 'name1899') },
  ],
  [
    '1,900 properties',
    inList({ properties: Object.fromEntries(names.map((name) => [name, true])) }),
    objects,
  ],
  ['forty doublings', doubling(40), {}],
  ['a chain of references', { $ref: '#/$defs/c0', $defs: chain }, {}],
  ['many counts of many members', all({ minProperties: 1 }), members],
  ['many looks at many members', all({ additionalProperties: { type: 'number' } }), members],
  [
    'many unevaluated members',
    { ...all({ additionalProperties: true }), unevaluatedProperties: false },
    members,
  ],
  [
    'many searches of many items',
    { properties: { list: all({ contains: { type: 'string' } }) } },
    numbers,
  ],
  ['many comparisons of many items', { properties: { list: all({ uniqueItems: true }) } }, numbers],
  [
    'many lengths of one text',
    { properties: { text: all({ maxLength: 199_999 }) } },
    { text: 'a'.repeat(200_000) },
  ],
  [
    'many formats of one text',
    { properties: { text: all({ format: 'uri' }) } },
    { text: `a:${'a'.repeat(200_000)}` },
  ],
  ['one long value', inList({ const: 'a'.repeat(200_000) }), { list: many(50) }],
  [
    'long names',
    { additionalProperties: false },
    { ['a'.repeat(100_000)]: 1, ['b'.repeat(100_000)]: 1 },
  ],
  ['many wrong names', { additionalProperties: false }, members],
];

const inside = (part: Json): JsonObject => ({ properties: { list: { contains: part } } });
const named = (first: Json): JsonObject =>
  Object.fromEntries(many(1_900).map((index) => [`name${index}`, index === 0 ? first : true]));
const LETTERS = 400_000;
const LONG_TEXT = 'a'.repeat(LETTERS);
/** Each level refers twice to the one below it, and nothing is found until all have been looked at. */
function anyOfDoubling(levels: number, lowest: JsonObject): JsonObject {
  const definitions: JsonObject = { level0: lowest };
  for (let level = 1; level <= levels; level += 1) {
    const below = { $ref: `#/$defs/level${level - 1}` };
    definitions[`level${level}`] = { anyOf: [below, below] };
  }
  return { properties: { list: { $ref: `#/$defs/level${levels}` } }, $defs: definitions };
}
const firstOnes: JsonObject = { list: many(9_000).map(() => ({ name0: 1 })) };

/** Few steps, each of which would look at a large part of the schema or of the input. */
const DEAR_STEPS: readonly [string, JsonObject, JsonObject][] = [
  ['quotes one long value', inside({ const: '\n'.repeat(LETTERS / 2) }), numbers],
  ['quotes long values', inside({ enum: many(20).map(() => 'é'.repeat(10_000)) }), numbers],
  [
    'compares one long value',
    anyOfDoubling(14, { const: `${LONG_TEXT}b` }),
    { list: `${LONG_TEXT}c` },
  ],
  [
    'compares large objects',
    inside({ const: Object.fromEntries(many(1_900).map((index) => [`name${index}`, index])) }),
    firstOnes,
  ],
  ['lists the properties', inside({ properties: named(false) }), firstOnes],
  ['lists the dependent schemas', inside({ dependentSchemas: named(false) }), firstOnes],
  ['lists the dependencies', inside({ dependencies: named(false) }), firstOnes],
  ['lists the types', inside({ type: many(1_900).map(() => 'null') }), numbers],
  [
    'writes a long path',
    {
      properties: { ['~'.repeat(LETTERS / 4)]: { $ref: '#/$defs/level14' } },
      $defs: Object.fromEntries(
        many(15).map((level) => [
          `level${level}`,
          level === 0
            ? false
            : { allOf: many(2).map(() => ({ $ref: `#/$defs/level${level - 1}` })) },
        ]),
      ),
    },
    { ['~'.repeat(LETTERS / 4)]: 1 },
  ],
];

describe('a schema against an input', () => {
  it.each(DEAR_STEPS)('[LIM-4] is checked within a second where a step %s', (_, schema, input) => {
    expect(toolSchemaProblem(schema)).toBeUndefined();
    expect(lowestCpuMs(2, () => checkToolInput(schema, input))).toBeLessThan(1_000);
  });

  it.each(HOSTILE_SCHEMAS)(
    '[LIM-4] %s ends after a bounded number of steps',
    (_, schema, input) => {
      expect(toolSchemaProblem(schema)).toBeUndefined();
      const read = readToolSchema(schema);
      if (!read.ok) throw new Error(read.problem);
      const run = startCheck(read.schema);
      judgeSchema(run, read.schema.root, input);
      // A single step may read a text or a list once beyond the remaining steps.
      expect(LIMITS.schemaSteps - run.steps).toBeLessThan(2 * LIMITS.schemaSteps);
      const errors = checkToolInput(schema, input);
      const texts = Object.entries(errors ?? {}).flat();
      expect(texts.length).toBeLessThanOrEqual(40);
      expect(Math.max(0, ...texts.map((text) => text.length))).toBeLessThanOrEqual(200);
    },
  );

  it('[LIM-4] that is too large to check is refused', () => {
    expect(checkToolInput(doubling(40), {})).toEqual({
      '': 'Too large to check against the schema',
    });
    expect(checkToolInput(doubling(4), {})).toBeUndefined();
  });

  it('[APR-2] checks the largest input against a usual schema', () => {
    const row = { id: 1, name: 'a', tags: ['x'] };
    const rows = inList({
      type: 'object',
      required: ['id', 'name', 'tags'],
      additionalProperties: false,
      properties: {
        id: { type: 'integer', minimum: 0 },
        name: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
        tags: { type: 'array', items: { type: 'string', enum: ['w', 'x'] } },
      },
    });
    const list = many(3_900).map(() => row);
    expect(checkToolInput(rows, { list })).toBeUndefined();
    expect(checkToolInput(rows, { list: [...list, { ...row, id: -1 }] })).toEqual({
      'list/3900/id': 'Use a number of at least 0.',
    });
  });
});
