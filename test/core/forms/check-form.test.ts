/**
 * A bug here would look like a form that no person can submit, or an agent that receives a value its schema
 * forbids.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkFormSchema,
  checkFormValues,
  soleTextField,
} from '../../../src/core/forms/check-form.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { choicesOf, FormSchema } from '../../../src/protocol/schema/kinds/form.ts';

const COLORS = {
  oneOf: [
    { const: '#f00', title: 'Red' },
    { const: '#0f0', title: 'Green' },
  ],
};

const TRIP = form(
  {
    name: { type: 'string', title: 'Your name', minLength: 2, maxLength: 20 },
    mail: { type: 'string', format: 'email', default: 'a@example.com' },
    nights: { type: 'integer', minimum: 1, maximum: 30, default: 2 },
    budget: { type: 'number', minimum: 0.5 },
    insured: { type: 'boolean', default: true },
    color: { type: 'string', ...COLORS, default: '#f00' },
    size: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
    meals: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'b', title: 'Breakfast' },
          { const: 'd', title: 'Dinner' },
        ],
      },
      minItems: 1,
      maxItems: 2,
      default: ['b'],
    },
    days: { type: 'array', items: { type: 'string', enum: ['mon', 'tue', 'wed'] }, maxItems: 2 },
  },
  ['name', 'insured', 'meals'],
);
const ANSWERED = { name: 'Ada', insured: false, meals: ['d'] };

function form(properties: JsonObject, required: string[] = []): FormSchema {
  return FormSchema.parse({ type: 'object', properties, required });
}

function issues(schema: unknown): string[] {
  const result = FormSchema.safeParse(schema);
  return result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

function fieldError(field: JsonObject, value: JsonObject[string]): string | undefined {
  const result = checkFormValues(form({ field }), { field: value });
  return result.ok ? undefined : result.fieldErrors['field'];
}

function fields(count: number): JsonObject {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'boolean' }]),
  );
}

function choices(count: number): JsonObject {
  return { a: { type: 'string', enum: Array.from({ length: count }, (_, at) => `c${at}`) } };
}

describe('FormSchema', () => {
  it('[FORM-1] takes every field of MCP elicitation', () => {
    expect(checkFormSchema(TRIP)).toBeUndefined();
  });

  it('[FORM-1] accepts the keywords that generators add', () => {
    const schema = { $schema: 'x', type: 'object', properties: { a: { type: 'string' } } };
    expect(
      issues({ ...schema, title: 'T', description: 'D', additionalProperties: false }),
    ).toEqual([]);
  });

  it.each([
    [{ a: { type: 'object', properties: {} } }, 'properties.a.type: '],
    [{ a: { type: 'array', items: { type: 'object' } } }, 'properties.a.items.type: '],
    [{ a: { type: 'string', secret: true } }, 'properties.a: '],
    [{ a: { type: 'boolean', minimum: 1 } }, 'properties.a: '],
    [{ a: { type: 'string', format: 'hostname' } }, 'properties.a.format: Use one of'],
    [{ a: { type: 'string', minLength: -1 } }, 'properties.a.minLength: '],
    [{ a: { type: 'string', enum: [] } }, 'properties.a.enum: '],
    [{ a: { type: 'string', enum: ['x', 'x'] } }, 'properties.a.enum: Choices must differ'],
    [{ a: { type: 'string', enum: [' '] } }, 'properties.a.enum.0: A choice must not be blank'],
    [{ a: { type: 'string', enum: ['x'], ...COLORS } }, 'properties.a.oneOf: Use either'],
    [
      { a: { type: 'string', enum: ['x'], maxLength: 3 } },
      'properties.a.maxLength: A choice has no',
    ],
    [
      { a: { type: 'string', enum: ['x'], enumNames: [] } },
      'properties.a.enumNames: Give one name',
    ],
    [{ a: { type: 'string', enumNames: ['x'] } }, 'properties.a.enumNames: Give one name'],
    [{ a: { type: 'array', items: {} } }, 'properties.a.items: Use either enum or anyOf'],
    [{ '': { type: 'string' } }, 'properties.'],
    [{ ['x'.repeat(65)]: { type: 'string' } }, 'properties.'],
  ])('[FORM-1] refuses %j with the path', (properties, issue) => {
    expect(issues({ type: 'object', properties })).toEqual([expect.stringContaining(issue)]);
  });

  it('[FORM-1] refuses a 31st field and a 101st choice', () => {
    expect(issues({ type: 'object', properties: fields(30) })).toEqual([]);
    expect(issues({ type: 'object', properties: fields(31) })).toEqual([
      'properties: A form has at most 30 fields',
    ]);
    expect(issues({ type: 'object', properties: {} })).toEqual([]);
    expect(issues({ type: 'object', properties: choices(100) })).toEqual([]);
    expect(issues({ type: 'object', properties: choices(101) })).toHaveLength(1);
  });

  it('lists choices the same way, in either notation', () => {
    const { properties } = TRIP;
    const titles = (name: string) => {
      const field = properties[name];
      return field && choicesOf(field)?.map((choice) => `${choice.value}=${choice.title}`);
    };
    expect(titles('color')).toEqual(['#f00=Red', '#0f0=Green']);
    expect(titles('size')).toEqual(['s=Small', 'm=Medium']);
    expect(titles('meals')).toEqual(['b=Breakfast', 'd=Dinner']);
    expect(titles('days')).toEqual(['mon=mon', 'tue=tue', 'wed=wed']);
    expect(titles('name')).toBeUndefined();
  });
});

describe('checkFormSchema', () => {
  it.each([
    [{ type: 'string', minLength: 3, maxLength: 2 }, 'minLength is larger than maxLength'],
    [{ type: 'string', minLength: 10_001 }, 'minLength is at most 10000'],
    [{ type: 'number', minimum: 2, maximum: 1 }, 'minimum is larger than maximum'],
    [{ type: 'integer', minimum: 0.2, maximum: 0.8 }, 'there is no whole number between'],
    [{ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }, 'there is no whole number'],
    [{ type: 'integer', exclusiveMinimum: 1, maximum: 1.5 }, 'there is no whole number between'],
    [{ type: 'number', exclusiveMinimum: 1, maximum: 1 }, 'there is no number between the bounds'],
    [{ type: 'number', minimum: 2, exclusiveMaximum: 2 }, 'there is no number between the bounds'],
    [{ type: 'number', exclusiveMinimum: 0, default: 0 }, 'the default is not valid'],
    [{ type: 'array', items: { enum: ['x'] }, minItems: 2 }, 'minItems is larger than'],
    [{ type: 'array', items: { enum: ['x'] }, maxItems: 0 }, 'maxItems is at least 1'],
    [{ type: 'string', pattern: '(?=a)' }, 'Look-around is not supported'],
    [{ type: 'string', pattern: '(a{1000}){1000}' }, 'The pattern is too large'],
    [{ type: 'string', maxLength: 1, default: 'ab' }, 'the default is not valid. Write at most 1'],
    [{ type: 'string', format: 'date', default: '2026-02-30' }, 'the default is not valid'],
    [{ type: 'string', enum: ['x'], default: 'y' }, 'the default is not valid. Choose one'],
    [{ type: 'integer', default: 1.5 }, 'the default is not valid. Write a whole number.'],
    [{ type: 'array', items: { enum: ['x'] }, default: ['y'] }, 'the default is not valid'],
  ])('[FORM-1] refuses %j when the form is opened', (field, problem) => {
    expect(checkFormSchema(form({ field }))).toContain(`Field "field": ${problem}`);
  });

  it('[FORM-1] refuses required names that do not exist or are listed twice', () => {
    expect(checkFormSchema(form({ a: { type: 'string' } }, ['b']))).toBe(
      'The required field "b" does not exist',
    );
    expect(checkFormSchema(form({ a: { type: 'string' } }, ['toString']))).toContain('toString');
    expect(checkFormSchema(form({ a: { type: 'string' } }, ['a', 'a']))).toContain('twice');
  });

  it('[FORM-1] bounds the patterns of one form together', () => {
    const field = { type: 'string', pattern: 'a{900}' };
    expect(checkFormSchema(form({ a: field, b: field }))).toBeUndefined();
    expect(checkFormSchema(form({ a: field, b: field, c: field }))).toContain('too large together');
  });

  it('[FORM-1] bounds the steps that the patterns of one answer may take', () => {
    const tooLong = 'This is too long to check against the pattern of the field.';
    const costly = { type: 'string', pattern: '(a?){450}b' };
    const text = 'a'.repeat(10_000);
    expect(checkFormValues(form({ costly }), { costly: text })).toEqual({
      ok: false,
      fieldErrors: { costly: tooLong },
    });
    // Each would do alone.
    const half = 'a'.repeat(150);
    expect(checkFormValues(form({ costly }), { costly: `${half}b` })).toMatchObject({ ok: true });
    const two = { first: costly, second: costly };
    expect(checkFormValues(form(two), { first: `${half}b`, second: `${half}b` })).toMatchObject({
      ok: false,
      fieldErrors: { second: tooLong },
    });
    expect(checkFormSchema(form({ field: { ...costly, default: text } }))).toContain(tooLong);
    const essay = { type: 'string', pattern: String.raw`^(\w|[.,;]|\s)+$` };
    expect(checkFormValues(form({ essay }), { essay: text })).toMatchObject({ ok: true });
  });

  it('[FORM-1] accepts an empty default, which fills nothing in', () => {
    const choices = { type: 'array', items: { enum: ['x'] }, minItems: 1, default: [] };
    const text = { type: 'string', minLength: 2, default: '' };
    expect(checkFormSchema(form({ choices, text }))).toBeUndefined();
  });

  it.each([
    'password',
    'dbPassword',
    'user_passwd',
    'apiKey',
    'githubAPIKey',
    'API_KEY',
    'api-key',
    'client_secret',
    'privateKey',
    'token',
    'accessToken',
    'creditCardNumber',
    'card_number',
    'cvv',
    'Your password:',
    'API key for Stripe',
    'GitHub token',
    'Credit card',
    'One-time code',
    'Secret',
    'Recovery phrase',
    'Password 2',
    'Passphrase (again)',
  ])('[FORM-3] does not ask for "%s", by name or by title', (label) => {
    const message = 'forms do not ask for secrets';
    expect(checkFormSchema(form({ [label]: { type: 'string' } }))).toContain(message);
    expect(checkFormSchema(form({ a: { type: 'string', title: label } }))).toContain(message);
  });

  it('[FORM-3] does not offer the format password', () => {
    expect(
      issues({ type: 'object', properties: { a: { type: 'string', format: 'password' } } }),
    ).toEqual(['properties.a.format: Forms do not ask for secrets']);
  });

  it.each([
    'passwordLength',
    'maxTokens',
    'token limit',
    'Secret Santa budget',
    'keyboard',
    'tokenize',
  ])('[FORM-3] asks for "%s", which is no secret', (label) => {
    expect(checkFormSchema(form({ [label]: { type: 'string', title: label } }))).toBeUndefined();
  });

  it('[FORM-3] accepts a yes or no, or a choice, about secrets', () => {
    const send = { type: 'boolean', title: 'Reset the password' };
    const which = { type: 'string', title: 'Which API key', enum: ['production', 'staging'] };
    expect(checkFormSchema(form({ send, which }))).toBeUndefined();
  });
});

describe('checkFormValues', () => {
  it('[FORM-1] returns the answered values and applies no default', () => {
    expect(checkFormValues(TRIP, ANSWERED)).toEqual({ ok: true, values: ANSWERED });
  });

  it('[FORM-1] names every field that is wrong', () => {
    const values = {
      name: 'A',
      nights: 1.5,
      insured: 'yes',
      meals: ['b', 'b'],
      days: ['sun'],
      x: 1,
    };
    expect(checkFormValues(TRIP, values)).toEqual({
      ok: false,
      fieldErrors: {
        name: 'Write at least 2 characters.',
        nights: 'Write a whole number.',
        insured: 'Choose yes or no.',
        meals: 'Choose each option once.',
        days: 'Choose only from the options.',
        x: 'This form has no such field.',
      },
    });
  });

  it.each([{}, { name: '', meals: [] }, { name: ' \n', meals: [] }])(
    '[FORM-1] %j answers nothing',
    (values) => {
      const required = 'This field is required.';
      expect(checkFormValues(TRIP, values)).toEqual({
        ok: false,
        fieldErrors: { name: required, insured: required, meals: required },
      });
    },
  );

  it('[FORM-1] leaves out empty fields, whatever their other limits', () => {
    const values = { ...ANSWERED, mail: '', size: '', days: [] };
    expect(checkFormValues(TRIP, values)).toEqual({ ok: true, values: ANSWERED });
  });

  it('[FORM-1] gives null for a required field that may be null, and nothing for another', () => {
    const field = { type: ['integer', 'null'] };
    const schema = form({ must: field, may: field, text: { type: ['string', 'null'] } }, [
      'must',
      'text',
    ]);
    const nothing = { ok: true, values: { must: null, text: null } };
    expect(checkFormValues(schema, {})).toEqual(nothing);
    expect(checkFormValues(schema, { must: null, may: null, text: ' ' })).toEqual(nothing);
    expect(checkFormValues(schema, { must: 0, may: 1, text: 'x' })).toEqual({
      ok: true,
      values: { must: 0, may: 1, text: 'x' },
    });
  });

  it('[FORM-1] takes false and 0 as answers', () => {
    const schema = form({ a: { type: 'boolean' }, b: { type: 'number' } }, ['a', 'b']);
    expect(checkFormValues(schema, { a: false, b: 0 }).ok).toBe(true);
  });

  it.each<[JsonObject, JsonObject[string], string | undefined]>([
    [{ type: 'string' }, 5, 'Write text.'],
    [{ type: 'string' }, null, 'Write text.'],
    [{ type: 'string', maxLength: 2 }, '😀😀', undefined],
    [{ type: 'string', maxLength: 1 }, '😀😀', 'Write at most 1 character.'],
    [{ type: 'string' }, 'x'.repeat(10_000), undefined],
    [{ type: 'string' }, 'x'.repeat(10_001), 'Write at most 10000 characters.'],
    [{ type: 'string', maxLength: 20_000 }, 'x'.repeat(10_001), 'Write at most 10000 characters.'],
    [{ type: 'string', pattern: '^[A-Z]+$' }, 'ABC', undefined],
    [{ type: 'string', pattern: '^[A-Z]+$' }, 'abc', 'This does not have the expected form.'],
    [{ type: 'string', ...COLORS }, '#f00', undefined],
    [{ type: 'string', ...COLORS }, 'Red', 'Choose one of the options.'],
    [{ type: 'number' }, '5', 'Write a number.'],
    [{ type: 'number', minimum: 1 }, 0.5, 'Write a number of at least 1.'],
    [{ type: 'integer', maximum: 3 }, 4, 'Write a number of at most 3.'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'Write a number greater than 0.'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0.001, undefined],
    [{ type: 'integer', exclusiveMaximum: 3 }, 3, 'Write a number less than 3.'],
    [{ type: 'integer', exclusiveMaximum: 3 }, 2, undefined],
    [{ type: ['string', 'null'] }, null, undefined],
    [{ type: ['string', 'null'], minLength: 2 }, 'x', 'Write at least 2 characters.'],
    [{ type: 'integer' }, 2 ** 53, 'Write a whole number.'],
    [{ type: 'boolean' }, 0, 'Choose yes or no.'],
    [{ type: 'array', items: { enum: ['x', 'y'] } }, 'x', 'Choose from the options.'],
    [
      { type: 'array', items: { enum: ['x', 'y'] }, minItems: 2 },
      ['x'],
      'Choose at least 2 options.',
    ],
    [
      { type: 'array', items: { enum: ['x', 'y'] }, maxItems: 1 },
      ['x', 'y'],
      'Choose at most 1 option.',
    ],
    [{ type: 'array', items: { enum: ['x', 'y'] } }, [['x']], 'Choose only from the options.'],
  ])('[FORM-1] %j given %j', (field, value, problem) => {
    expect(fieldError(field, value)).toBe(problem);
  });

  it.each([
    [
      'email',
      ['a@b.co', 'first.last+tag@sub.example.com'],
      ['a', 'a@', '@b', 'a b@c.d', 'a@b..c', 'a@-b'],
    ],
    [
      'uri',
      ['https://example.com/a?b#c', 'mailto:a@b.co'],
      ['example.com', '/a', 'https://', ' https://a'],
    ],
    [
      'date',
      ['2026-02-28', '2024-02-29', '2000-02-29'],
      [
        '2026-02-29',
        '1900-02-29',
        '2026-13-01',
        '2026-1-1',
        '0000-01-01',
        '2026-04-31',
        '2026-01-00',
      ],
    ],
    [
      'date-time',
      ['2026-01-31T09:30:00Z', '2026-01-31t09:30:00.123+05:30'],
      [
        '2026-01-31',
        '2026-01-31T09:30Z',
        '2026-01-31T09:30:00',
        '2026-02-30T09:30:00Z',
        '2026-01-31T24:00:00Z',
        '2026-01-31 09:30:00Z',
      ],
    ],
  ])('[FORM-1] checks the format %s', (format, right, wrong) => {
    const field = { type: 'string', format };
    for (const text of right) expect([text, fieldError(field, text)]).toEqual([text, undefined]);
    for (const text of wrong)
      expect([text, typeof fieldError(field, text)]).toEqual([text, 'string']);
  });

  it('[FORM-1] repeats only a few of the fields that do not exist', () => {
    const values = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x${at}`, 1]));
    const result = checkFormValues(TRIP, { ...ANSWERED, ...values });
    expect(result.ok ? [] : Object.keys(result.fieldErrors)).toHaveLength(20);
  });

  it('does not read inherited fields', () => {
    const schema = form({ toString: { type: 'string' } }, ['toString']);
    expect(checkFormValues(schema, {})).toMatchObject({ ok: false });
    expect(checkFormValues(form({ a: { type: 'string' } }), { valueOf: 'x' })).toMatchObject({
      ok: false,
    });
  });

  it('[FORM-1] every accepted answer is accepted again, unchanged', () => {
    const values = fc.record(
      {
        name: fc.string(),
        nights: fc.integer({ min: -5, max: 40 }),
        insured: fc.boolean(),
        meals: fc.array(fc.constantFrom('b', 'd', 'x'), { maxLength: 3 }),
        days: fc.array(fc.constantFrom('mon', 'tue'), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, (given) => {
        const result = checkFormValues(TRIP, given);
        if (!result.ok) return;
        expect(given).toMatchObject(result.values);
        expect(checkFormValues(TRIP, result.values)).toEqual(result);
      }),
    );
  });
});

describe('soleTextField', () => {
  it('is the name of the field when a form asks for a single text alone', () => {
    expect(soleTextField(form({ why: { type: 'string', format: 'email' } }))).toBe('why');
  });

  it.each([
    [{ a: { type: 'string' }, b: { type: 'boolean' } }],
    [{ a: { type: 'string', enum: ['x', 'y'] } }],
    [{ a: { type: 'number' } }],
    [{}],
  ])('is nothing for %j', (properties) => {
    expect(soleTextField(form(properties))).toBeUndefined();
  });
});
