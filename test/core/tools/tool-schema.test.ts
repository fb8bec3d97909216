/** A bug here lets an agent's schema hold a session up, or lets an edit through that does not fit. */
import { describe, expect, it } from 'vitest';
import { checkToolInput, toolSchemaProblem } from '../../../src/core/tools/check-tool-input.ts';
import type { Json, JsonObject } from '../../../src/protocol/json.ts';

const command: JsonObject = {
  type: 'object',
  properties: { command: { type: 'string', maxLength: 10 } },
  required: ['command'],
  additionalProperties: false,
};

function fits(schema: JsonObject, value: Json): boolean {
  return checkToolInput({ properties: { value: schema } }, { value }) === undefined;
}

describe('an edited input', () => {
  it('[APR-2] fits, or its errors name the place', () => {
    expect(checkToolInput(command, { command: 'ls' })).toBeUndefined();
    expect(checkToolInput(command, { command: 7 })).toEqual({ command: 'Use text.' });
    expect(checkToolInput(command, {})).toEqual({ command: 'This field is required.' });
    expect(checkToolInput(command, { command: 'ls', more: 1 })).toEqual({
      more: 'This field is not known here; leave it out.',
    });
    const nested = { properties: { 'a/b': { items: { properties: { c: { minimum: 3 } } } } } };
    expect(checkToolInput(nested, { 'a/b': [{}, { c: 2 }] })).toEqual({
      'a~1b/1/c': 'Use a number of at least 3.',
    });
  });

  it('[APR-2] is not matched against patterns, which are properties like others where they are names', () => {
    const evil = { properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    expect(checkToolInput(evil, { text: `${'a'.repeat(5_000)}!` })).toBeUndefined();
    const named = { properties: { pattern: { type: 'number' } } };
    expect(checkToolInput(named, { pattern: 'x' })).toBeDefined();
  });

  it('[APR-2] has required names of its own, not those that every object inherits', () => {
    const schema = { required: ['toString', 'valueOf'] };
    expect(Object.keys(checkToolInput(schema, {}) ?? {})).toEqual(['toString', 'valueOf']);
    expect(checkToolInput(schema, { toString: 1, valueOf: 2 })).toBeUndefined();
    const dependent = { dependentRequired: { hasOwnProperty: ['a'] } };
    expect(checkToolInput(dependent, {})).toBeUndefined();
    expect(checkToolInput({ properties: { toString: { type: 'string' } } }, {})).toBeUndefined();
  });
});

/* oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema, awaited by nothing */
/** Each keyword: accepted inputs, and refused inputs. */
const KEYWORDS: readonly [what: string, schema: JsonObject, taken: Json[], refused: Json[]][] = [
  ['type', { type: 'integer' }, [1, -2], [1.5, '1', null]],
  ['types', { type: ['string', 'null'] }, ['', null], [1, [], {}]],
  ['type array', { type: 'array' }, [[]], [{}]],
  ['type object', { type: 'object' }, [{}], [[], null]],
  ['enum', { enum: ['a', 1, { b: [1] }] }, ['a', 1, { b: [1] }], ['b', '1', { b: [2] }, {}]],
  ['const', { const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }, { a: 1, b: 2, c: 3 }, []]],
  ['const null', { const: null }, [null], [0, false, '']],
  ['lengths', { minLength: 2, maxLength: 3 }, ['ab', '😀😀😀', 7], ['a', '😀', 'abcd']],
  ['bounds', { minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'x'], [0.9, 3]],
  ['bounds of draft 4', { minimum: 1, exclusiveMinimum: true }, [1.1], [1]],
  ['multipleOf', { multipleOf: 0.1 }, [0.3, 0, -4.7], [0.35]],
  ['items', { items: { type: 'number' } }, [[], [1], 'x'], [['a'], [1, 'a']]],
  ['sizes', { minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  [
    'uniqueItems',
    { uniqueItems: true },
    [
      [1, '1', true],
      [{ a: 1 }, { a: 2 }],
    ],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['prefixItems', { prefixItems: [{ type: 'number' }], items: false }, [[], [1]], [['a'], [1, 2]]],
  [
    'a list of items',
    { items: [{ type: 'number' }], additionalItems: { type: 'string' } },
    [[1], [1, 'a']],
    [['a'], [1, 2]],
  ],
  ['contains', { contains: { const: 1 }, maxContains: 2 }, [[1], [2, 1, 1]], [[], [2], [1, 1, 1]]],
  ['propertyNames', { propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ ab: 1 }]],
  ['counts', { minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 2, c: 3 }]],
  [
    'additionalProperties',
    { properties: { a: true }, additionalProperties: { type: 'number' } },
    [{ a: 'x', b: 1 }],
    [{ b: 'x' }],
  ],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{ b: 1 }, {}], [{ a: 1 }]],
  ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, [{}], [{ a: 1 }]],
  ['dependencies', { dependencies: { a: ['b'], c: false } }, [{}], [{ a: 1 }, { c: 1 }]],
  ['allOf', { allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  ['anyOf', { anyOf: [{ type: 'null' }, { minLength: 2 }] }, [null, 'ab', 1], ['a']],
  ['oneOf', { oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1, 2]],
  ['not', { not: { type: 'string' } }, [1], ['a']],
  [
    'if',
    { if: { type: 'number' }, then: { minimum: 1 }, else: { minLength: 1 } },
    [1, 'a'],
    [0, ''],
  ],
  ['false', { not: {} }, [], [1, null]],
  [
    'unevaluatedProperties',
    {
      allOf: [{ properties: { a: true } }],
      anyOf: [{ required: ['b'], properties: { b: true } }, true],
      unevaluatedProperties: false,
    },
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ c: 1 }],
  ],
  [
    'unevaluatedItems',
    { allOf: [{ prefixItems: [true] }], contains: { const: 'x' }, unevaluatedItems: false },
    [['x'], [1, 'x']],
    [[1, 'x', 2]],
  ],
];

describe('a keyword', () => {
  it.each(KEYWORDS)('[APR-2] %s', (_what, schema, taken, refused) => {
    expect(toolSchemaProblem(schema)).toBeUndefined();
    expect(taken.filter((value) => !fits(schema, value))).toEqual([]);
    expect(refused.filter((value) => fits(schema, value))).toEqual([]);
  });

  it.each<[string, JsonObject, Json]>([
    ['not', { not: { pattern: 'a' } }, 'b'],
    ['oneOf', { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 'b'],
    ['oneOf of formats', { oneOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }, '::1'],
    ['if', { if: { pattern: '^a' }, then: { maxLength: 1 } }, 'bb'],
    [
      'additionalProperties',
      { patternProperties: { '^x': {} }, additionalProperties: false },
      { x1: 1 },
    ],
    [
      'unevaluatedProperties',
      { allOf: [{ patternProperties: { '^x': {} } }], unevaluatedProperties: false },
      { x1: 1 },
    ],
    ['contains', { contains: { pattern: 'a' }, maxContains: 1 }, ['b', 'a']],
  ])('[APR-2] that is left to the tool refuses nothing, under %s neither', (_, schema, value) => {
    expect(fits(schema, value)).toBe(true);
  });

  it('[APR-2] beside a pattern still counts', () => {
    const schema = { allOf: [{ pattern: 'a' }, { maxLength: 1 }] };
    expect(fits(schema, 'bb')).toBe(false);
    expect(fits({ anyOf: [{ pattern: 'a', maxLength: 1 }, { type: 'null' }] }, 'bb')).toBe(false);
  });
});

describe('the draft', () => {
  const value = { type: 'string', $ref: '#/definitions/short', minLength: 2 };

  it.each([
    ['http://json-schema.org/draft-07/schema#', true],
    ['https://json-schema.org/draft-07/schema', true],
    ['http://json-schema.org/draft-06/schema#', true],
    ['http://json-schema.org/draft-04/schema#', true],
    ['https://json-schema.org/draft/2019-09/schema', false],
    ['https://json-schema.org/draft/2020-12/schema', false],
  ])(
    '[APR-2] %s decides about the keywords beside a reference: ignored is %s',
    ($schema, isIgnored) => {
      const schema = { $schema, properties: { value }, definitions: { short: { maxLength: 3 } } };
      expect(checkToolInput(schema, { value: 'abcd' })).toBeDefined();
      expect(checkToolInput(schema, { value: 'a' }) === undefined).toBe(isIgnored);
    },
  );
});

describe('a reference', () => {
  const word = { type: 'string' };

  it.each<[string, JsonObject]>([
    ['a pointer', { properties: { a: { $ref: '#/$defs/word' } }, $defs: { word } }],
    [
      'an escaped pointer',
      { properties: { a: { $ref: '#/$defs/a~1b%25' } }, $defs: { 'a/b%': word } },
    ],
    [
      'an anchor',
      { properties: { a: { $ref: '#w' } }, $defs: { word: { $anchor: 'w', ...word } } },
    ],
    [
      'an anchor of draft 7',
      { properties: { a: { $ref: '#w' } }, definitions: { word: { $id: '#w', ...word } } },
    ],
    [
      'a dynamic anchor',
      {
        properties: { a: { $dynamicRef: '#w' } },
        $defs: { word: { $dynamicAnchor: 'w', ...word } },
      },
    ],
    [
      'a place where no keyword leads',
      { properties: { a: { $ref: '#/x-words/0' } }, 'x-words': [word] },
    ],
    [
      'its own address',
      {
        $id: 'https://example.com/tool.json',
        properties: { a: { $ref: 'https://example.com/tool.json#/$defs/word' } },
        $defs: { word },
      },
    ],
    [
      'a place of the nearest $id',
      {
        properties: { a: { $id: 'https://example.com/a', $ref: '#/$defs/word', $defs: { word } } },
        $defs: { word: { type: 'number' } },
      },
    ],
  ])('[APR-2] to %s is followed', (_, schema) => {
    expect(toolSchemaProblem(schema)).toBeUndefined();
    expect(checkToolInput(schema, { a: 'b' })).toBeUndefined();
    expect(checkToolInput(schema, { a: 1 })).toEqual({ a: 'Use text.' });
  });

  it('[APR-2] to its own schema describes a tree, and is checked at every level', () => {
    const tree: JsonObject = {
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: {
        node: {
          type: 'object',
          required: ['name'],
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    };
    expect(toolSchemaProblem(tree)).toBeUndefined();
    const root = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] };
    expect(checkToolInput(tree, { root })).toBeUndefined();
    const bad = { name: 'a', children: [{ name: 'b', children: [{}] }] };
    expect(checkToolInput(tree, { root: bad })).toEqual({
      'root/children/0/children/0/name': 'This field is required.',
    });
    expect(toolSchemaProblem({ properties: { child: { $ref: '#' } } })).toBeUndefined();
  });

  it('[APR-2] with several $ids does not follow references that may resolve elsewhere each time', () => {
    const schema = {
      $id: 'https://example.com/a',
      properties: { a: { $dynamicRef: '#w' } },
      $defs: {
        word: { $dynamicAnchor: 'w', type: 'string' },
        other: { $id: 'https://example.com/b', type: 'number' },
      },
    };
    expect(checkToolInput(schema, { a: 1 })).toBeUndefined();
  });
});

describe('a schema', () => {
  it.each<[string, JsonObject]>([
    ['"#" goes in a circle', { $ref: '#' }],
    [
      '"#" goes in a circle',
      { properties: { a: { anyOf: [true, { $ref: '#' }] } }, allOf: [{ $ref: '#' }] },
    ],
    [
      '"#/$defs/b" goes in a circle',
      {
        $ref: '#/$defs/a',
        $defs: { a: { allOf: [{ $ref: '#/$defs/b' }] }, b: { if: { $ref: '#/$defs/a' } } },
      },
    ],
    ['leaves the schema', { $ref: 'https://example.com/schema.json' }],
    ['nothing is at "#/$defs/missing"', { $ref: '#/$defs/missing' }],
    ['nothing is at "#missing"', { $ref: '#missing' }],
    ['more than 2000 parts', { enum: Array.from({ length: 2_000 }, (_, index) => index) }],
    ['/properties/a/type must be one or more of null,', { properties: { a: { type: 'strin' } } }],
    ['/properties/a must be a schema', { properties: { a: 'string' } }],
    ['/properties must be an object of schemas', { properties: [] }],
    ['/properties/a/required must be a list of names', { properties: { a: { required: true } } }],
    ['/anyOf must be a list of schemas', { anyOf: {} }],
    ['/minLength must be a whole number, 0 or more', { minLength: -1 }],
    ['/multipleOf must be a number above 0', { multipleOf: 0 }],
    ['/maximum must be a number', { maximum: '3' }],
    ['/uniqueItems must be true or false', { uniqueItems: 1 }],
    ['/enum must be a list', { enum: 'a' }],
    ['/$ref must be text', { $ref: 1 }],
    ['/dependentRequired must be lists of names', { dependentRequired: { a: 'b' } }],
    ['/dependencies/a must be a schema', { dependencies: { a: 'b' } }],
  ])('[APR-2] that cannot be used is refused at opening: %s', (why, schema) => {
    expect(toolSchemaProblem(schema)).toContain(why);
    expect(checkToolInput(schema, {})?.['']).toContain(why);
  });

  it('[APR-2] may have unread keywords, and properties named like keywords', () => {
    const schema = {
      title: 7,
      examples: [{ type: 'nothing' }],
      'x-own': { $ref: 'https://example.com' },
      properties: { properties: true, type: { const: 'strin' }, $ref: { default: { $ref: 1 } } },
      const: { type: 'strin', type2: { $ref: '#/no' } },
    };
    expect(toolSchemaProblem(schema)).toBeUndefined();
  });
});
