/** A form with a field of each type, and the values that fit it. */
import type { JsonObject } from '../../../src/protocol/json.ts';
import { FormSchema } from '../../../src/protocol/schema/kinds/form.ts';

export const COLORS = {
  oneOf: [
    { const: '#f00', title: 'Red' },
    { const: '#0f0', title: 'Green' },
  ],
};

export const TRIP = form(
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

export function form(properties: JsonObject, required: string[] = []): FormSchema {
  return FormSchema.parse({ type: 'object', properties, required });
}

export function fields(count: number): JsonObject {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`f${at}`, { type: 'boolean' }]),
  );
}
