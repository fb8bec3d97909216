/**
 * Schemas as programs of agents write them. A bug here would look like an agent that cannot ask although its schema says
 * nothing unusual, or a person who is shown something else than what is stored.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFormSchema, checkFormValues } from '../../../src/core/forms/check-form.ts';
import { parseJson } from '../../../src/protocol/json.ts';
import { choicesOf, FormSchema } from '../../../src/protocol/schema/kinds/form.ts';
import { plainFormSchema } from '../../../src/protocol/schema/kinds/form-notation.ts';

/** What `askUserQuestionsToCreateRequest` of claude-agent-acp 0.100.0 sends for two questions, over the wire. */
const ACP_QUESTIONS = {
  type: 'object',
  properties: {
    question_0: {
      type: 'string',
      title: 'Database',
      description: 'Which database?',
      oneOf: [
        {
          const: 'SQLite',
          title: 'SQLite',
          description: 'One file',
          _meta: { '_claude/askUserQuestionOption': { preview: 'CREATE TABLE …' } },
        },
        { const: 'Postgres', title: 'Postgres' },
      ],
    },
    question_0_custom: {
      type: 'string',
      title: 'Other',
      description: 'Type your own answer (optional).',
      _meta: { jetbrains: { air: { customAnswer: { questionId: 'question_0' } } } },
    },
    question_1: {
      type: 'array',
      title: 'Features',
      description: 'Which features?',
      items: { anyOf: [{ const: 'A', title: 'A', description: 'First' }], _meta: {} },
    },
  },
  _meta: { trace: '1' },
};

/** `Optional[int] = None`, `int | None` and `Literal` of pydantic. */
const PYDANTIC = {
  type: 'object',
  title: 'Trip',
  properties: {
    nights: {
      anyOf: [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'null' }],
      default: null,
      title: 'Nights',
    },
    name: { type: 'string', title: 'Name', examples: ['Ada', 'Alan', 7, {}, 'Grace', 'Edsger'] },
    color: { enum: ['red', 'blue'], title: 'Color', type: 'string' },
  },
  required: ['name', 'nights'],
};

/** `z.toJSONSchema` of zod 4, with a union of literals, `.nullable()` and the bounds of whole numbers. */
const ZOD = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    size: {
      anyOf: [{ type: 'string', const: 's' }, { type: 'string', const: 'm' }, { type: 'null' }],
    },
    count: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    note: { anyOf: [{ type: 'string', maxLength: 20 }, { type: 'null' }], description: 'A note' },
  },
  required: ['size', 'count', 'note'],
  additionalProperties: false,
};

/** The TypeScript declarations of ACP allow null for every optional keyword. */
const NULLS = {
  type: 'object',
  title: null,
  required: null,
  properties: {
    a: { type: 'string', title: null, minLength: null, pattern: null, oneOf: null, default: null },
    b: { type: ['boolean', 'null'], deprecated: true, $comment: 'x' },
    c: { type: 'string', nullable: false, enum: ['x'] },
    d: { type: ['string', 'null'], enum: ['x', null] },
    e: { type: 'string', nullable: true, oneOf: [{ const: 'x' }, { const: null }] },
  },
};

const REAL = { ACP_QUESTIONS, PYDANTIC, ZOD, NULLS };

function stored(schema: unknown): FormSchema {
  return FormSchema.parse(schema);
}

describe('the notations of agents', () => {
  it.each(Object.entries(REAL))('[FORM-1] takes %s, and its own result again', (_name, schema) => {
    const read = stored(schema);
    expect(checkFormSchema(read)).toBeUndefined();
    expect(stored(read)).toEqual(read);
    expect(JSON.stringify(read)).not.toContain('_meta');
  });

  it('[FORM-1] keeps the description of a choice, and drops what is not shown', () => {
    const { question_0, question_1 } = stored(ACP_QUESTIONS).properties;
    expect(question_0 && choicesOf(question_0)).toEqual([
      { value: 'SQLite', title: 'SQLite', description: 'One file' },
      { value: 'Postgres', title: 'Postgres', description: undefined },
    ]);
    expect(question_1 && choicesOf(question_1)).toMatchObject([{ description: 'First' }]);
  });

  it('[FORM-1] reads a type with null as nullable, with the words outside it', () => {
    const { nights, name } = stored(PYDANTIC).properties;
    expect(nights).toEqual({
      type: 'integer',
      title: 'Nights',
      exclusiveMinimum: 0,
      nullable: true,
    });
    expect(name).toMatchObject({ examples: ['Ada', 'Alan', 7] });
    expect(checkFormValues(stored(PYDANTIC), { name: 'Ada' })).toEqual({
      ok: true,
      values: { name: 'Ada', nights: null },
    });
  });

  it('[FORM-1] reads a list of constants as choices', () => {
    expect(stored(ZOD).properties).toMatchObject({
      size: { type: 'string', nullable: true, oneOf: [{ const: 's', title: 's' }, { const: 'm' }] },
      note: { type: 'string', maxLength: 20, nullable: true, description: 'A note' },
    });
    expect(checkFormValues(stored(ZOD), { size: 'xl', count: 1 })).toMatchObject({ ok: false });
  });

  it('[FORM-1] asks for plain consent without properties', () => {
    const empty = stored({ type: 'object', properties: {}, _meta: {} });
    expect(checkFormValues(empty, {})).toEqual({ ok: true, values: {} });
  });

  it.each([
    ['two types', { type: ['string', 'integer'] }],
    ['null alone', { type: ['null'] }],
    ['null among the choices of a text', { type: 'string', enum: ['x', null] }],
    ['null alone in anyOf', { anyOf: [{ type: 'null' }] }],
    ['two members', { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    [
      'nested anyOf',
      { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'null' }] },
    ],
    ['two values of a keyword', { minLength: 9, anyOf: [{ type: 'string', minLength: 1 }] }],
    ['a pattern in a choice', { type: 'string', oneOf: [{ const: 'a', pattern: '(a+)+' }] }],
    ['choices of numbers', { anyOf: [{ const: 1 }, { const: 2 }] }],
    ['a reference', { $ref: '#/$defs/x' }],
    ['anyOf that is no list', { type: 'string', anyOf: {} }],
  ])('[FORM-1] refuses %s', (_name, field) => {
    expect(FormSchema.safeParse({ type: 'object', properties: { field } }).success).toBe(false);
  });

  it('[FORM-1] bounds a pattern inside anyOf like any other', () => {
    const field = { anyOf: [{ type: 'string', pattern: '(a{1000}){1000}' }, { type: 'null' }] };
    const read = stored({ type: 'object', properties: { field } });
    expect(checkFormSchema(read)).toContain('The pattern is too large');
  });

  it('[FORM-1] keeps a field called __proto__ a field, and pollutes nothing', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","_meta":{}}}}',
    ) as unknown;
    const plain = plainFormSchema(schema) as { properties: object };
    expect(Object.keys(plain.properties)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(plain.properties)).toBe(Object.prototype);
    // The reader of bodies refuses the name before anything else sees it.
    expect(parseJson(JSON.stringify({ ['__proto__']: 1 })).ok).toBe(false);
  });

  it('[FORM-1] refuses more choices than a body holds', () => {
    const oneOf = Array.from({ length: 30_000 }, (_, at) => ({ const: `c${at}` }));
    const field = { type: 'string', oneOf };
    expect(FormSchema.safeParse({ type: 'object', properties: { field } }).success).toBe(false);
    expect(parseJson(JSON.stringify(oneOf)).ok).toBe(false);
  });

  it('[FORM-1] never throws, and is the same when it is stored and read again', () => {
    const field = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          type: fc.constantFrom('string', 'integer', ['string', 'null'], null),
          anyOf: fc.array(fc.oneof(fc.constant({ type: 'null' }), fc.jsonValue())),
          oneOf: fc.array(fc.jsonValue()),
          items: fc.jsonValue(),
          examples: fc.jsonValue(),
          nullable: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), field), (properties) => {
        const read = FormSchema.safeParse({ type: 'object', properties });
        if (read.success) expect(FormSchema.parse(read.data)).toEqual(read.data);
      }),
    );
  });
});
