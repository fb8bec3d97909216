/** The typed fields of a form: an empty field is left out, and valid values are those that the server accepts. */
import { describe, expect, it } from 'vitest';
import { checkFormValues } from '../../../../src/core/forms/check-form.ts';
import { FormSchema } from '../../../../src/protocol/schema/kinds/form.ts';
import { firstDraft, toggleChoice, valuesIn } from '../../../../src/web/model/cards/form-draft.ts';
import { fieldsOf } from '../../../../src/web/model/cards/form-fields.ts';

const schema = FormSchema.parse({
  type: 'object',
  required: ['count'],
  properties: {
    count: { type: 'integer', minimum: 1 },
    ratio: { type: 'number', default: 0.5 },
    when: { type: 'string', format: 'date-time' },
    sure: { type: 'boolean' },
    one: { type: 'string', oneOf: [{ const: 'a', title: 'First' }] },
    many: { type: 'array', items: { enum: ['x', 'y'] }, minItems: 1 },
  },
});
const fields = fieldsOf(schema);
const empty = firstDraft(fields, undefined, undefined);

describe('the draft of a form', () => {
  it('[UI-4] has its defaults and preselects nothing else', () => {
    expect(empty).toEqual({ count: '', ratio: '0.5', when: '', sure: '', one: '', many: [] });
    expect(valuesIn(fields, empty)).toEqual({
      ok: false,
      fieldErrors: { count: 'Required' },
    });
  });

  it('[UI-4] gives values of the schema’s types', () => {
    const draft = {
      ...empty,
      count: '3',
      when: '2026-02-03T04:05',
      sure: 'no',
      one: 'a',
      many: ['x'],
    };
    const filled = valuesIn(fields, draft);
    if (!filled.ok) throw new Error('It is filled');
    expect(filled.values).toMatchObject({
      count: 3,
      ratio: 0.5,
      sure: false,
      one: 'a',
      many: ['x'],
    });
    expect(checkFormValues(schema, filled.values)).toMatchObject({ ok: true });
  });

  it('[UI-4] reports an invalid number, and keeps it', () => {
    for (const [count, error] of [
      ['1.5', 'Use a whole number'],
      ['1e999', 'Use a whole number'],
      [' ', 'Use a whole number'],
    ] as const) {
      expect(valuesIn(fields, { ...empty, count })).toMatchObject({
        fieldErrors: { count: error },
      });
    }
    expect(valuesIn(fields, { ...empty, count: '1', ratio: 'half' })).toMatchObject({
      fieldErrors: { ratio: 'Use a number' },
    });
  });

  it('[UI-4, FORM-2, UI-8] prefers typed values to defaults, and a draft to both', () => {
    const typed = { ratio: 2, many: ['y'], sure: true };
    expect(firstDraft(fields, typed, undefined)).toMatchObject({
      ratio: '2',
      many: ['y'],
      sure: 'yes',
    });
    expect(firstDraft(fields, typed, { ratio: '3', many: 'spoiled' })).toMatchObject({
      ratio: '3',
      many: ['y'],
    });
  });

  it('turns choices on and off', () => {
    expect(toggleChoice(toggleChoice([], 'x'), 'y')).toEqual(['x', 'y']);
    expect(toggleChoice(['x', 'y'], 'x')).toEqual(['y']);
  });
});
