/**
 * A bug here would look like a form that no person can submit, or an agent that receives a value its schema
 * forbids.
 */
import { describe, expect, it } from 'vitest';
import { checkFormSchema, checkFormValues } from '../../../src/core/forms/check-form.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { choicesOf, FormSchema } from '../../../src/protocol/schema/kinds/form.ts';
import { COLORS, TRIP, form, fields } from './sample-form.ts';

function issues(schema: unknown): string[] {
  const result = FormSchema.safeParse(schema);
  return result.success
    ? []
    : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
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
