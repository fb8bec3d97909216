/** The values of a form. A bug here looks like an agent that receives a value its schema forbids. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFormValues, soleTextField } from '../../../src/core/forms/check-form.ts';
import type { JsonObject } from '../../../src/protocol/json.ts';
import { COLORS, TRIP, form } from './sample-form.ts';

const ANSWERED = { name: 'Ada', insured: false, meals: ['d'] };

function fieldError(field: JsonObject, value: JsonObject[string]): string | undefined {
  const result = checkFormValues(form({ field }), { field: value });
  return result.ok ? undefined : result.fieldErrors['field'];
}

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
    [{ type: 'string', pattern: '^[A-Z]+$' }, 'abc', 'Use the format of this pattern: ^[A-Z]+$'],
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

  it.each<[string, JsonObject, string]>([
    ['an example', { examples: ['1.2.3'] }, 'Use the format 1.2.3.'],
    ['two of the examples', { examples: ['1.2.3', '0.1', '7'] }, 'Use the format 1.2.3 or 0.1.'],
    [
      'no example that is wrong itself',
      { examples: ['latest', 7], description: 'Numbers with dots.' },
      'Use this format: Numbers with dots.',
    ],
    ['the default', { default: '2.0' }, 'Use the format 2.0.'],
    [
      'the description on one line',
      { description: ' Numbers,\n with dots.' },
      'Use this format: Numbers, with dots.',
    ],
    [
      'the pattern where the rest is too long',
      { examples: ['1.'.repeat(40)], description: 'x'.repeat(201) },
      'Use the format of this pattern: ^[0-9.]+$',
    ],
  ])('[FORM-1] names %s where a text does not fit its pattern', (_, more, problem) => {
    const field = { type: 'string', pattern: '^[0-9.]+$', ...more };
    expect(fieldError(field, 'newest')).toBe(problem);
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
