/** The fields of a form as they are drawn: one for each property of the flat schema. */
import type { FormField, FormSchema } from '../../../protocol/schema/kinds/form.ts';
import { t, tn } from '../language.ts';

export interface FieldChoice {
  readonly value: string;
  readonly title: string;
  readonly description?: string | undefined;
}

export type FieldInput =
  | { readonly type: 'text'; readonly as: 'text' | 'email' | 'url' | 'date' | 'datetime-local' }
  | { readonly type: 'number'; readonly isWhole: boolean }
  | { readonly type: 'yes-no' }
  | { readonly type: 'one'; readonly choices: readonly FieldChoice[] }
  | { readonly type: 'many'; readonly choices: readonly FieldChoice[] };

export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
  readonly input: FieldInput;
  readonly initial: string | readonly string[] | undefined;
  /** The limits of the schema, in words. */
  readonly hint: string;
}

export function fieldsOf({ properties, required = [] }: FormSchema): Field[] {
  return Object.entries(properties).map(([name, field]) => ({
    name,
    title: field.title ?? name,
    description: field.description,
    isRequired: required.includes(name) && field.nullable !== true,
    input: inputOf(field),
    initial: typedFormOf(field.default),
    hint: hintOf(field),
  }));
}

/** A value as a person would type it. */
export function typedFormOf(value: unknown): string | readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const TEXTS = { email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const;

function inputOf(field: FormField): FieldInput {
  switch (field.type) {
    case 'boolean':
      return { type: 'yes-no' };
    case 'number':
    case 'integer':
      return { type: 'number', isWhole: field.type === 'integer' };
    case 'array':
      return { type: 'many', choices: fieldChoicesOf(field.items.enum, field.items.anyOf) };
    case 'string': {
      const choices = fieldChoicesOf(field.enum, field.oneOf, field.enumNames);
      if (choices.length > 0) return { type: 'one', choices };
      return { type: 'text', as: field.format === undefined ? 'text' : TEXTS[field.format] };
    }
  }
}

function fieldChoicesOf(
  plain: readonly string[] = [],
  titled?: readonly {
    readonly const: string;
    readonly title: string;
    readonly description?: string | undefined;
  }[],
  names: readonly string[] = [],
): readonly FieldChoice[] {
  if (titled !== undefined)
    return titled.map(({ const: value, title, description }) => ({ value, title, description }));
  return plain.map((value, index) => ({ value, title: names[index] ?? value }));
}

/** A list to open has no room for descriptions; with descriptions the choices stand one below the other. */
export function areDescribed(choices: readonly FieldChoice[]): boolean {
  return choices.some(({ description }) => description !== undefined);
}

function hintOf(field: FormField): string {
  const examples = field.examples?.length
    ? t('For example: {examples}', { examples: field.examples.join(', ') })
    : '';
  return [limitsOf(field), examples].filter((part) => part !== '').join('. ');
}

function limitsOf(field: FormField): string {
  switch (field.type) {
    case 'string':
      return textRange(field.minLength, field.maxLength);
    case 'number':
    case 'integer':
      return numberRange(field);
    case 'array':
      return choiceRange(field.minItems, field.maxItems);
    case 'boolean':
      return '';
  }
}

function textRange(min = 0, max: number | undefined): string {
  if (max === undefined)
    return min === 0 ? '' : tn(min, 'At least 1 character', 'At least {count} characters');
  return min === 0
    ? tn(max, 'At most 1 character', 'At most {count} characters')
    : t('{min} to {max} characters', { min, max });
}

function choiceRange(min = 0, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '' : t('At least {min} of them', { min });
  return min === 0
    ? t('At most {max} of them', { max })
    : t('{min} to {max} of them', { min, max });
}

/** Generators write the largest whole numbers where a type has no bounds of its own. */
function numberRange(field: Extract<FormField, { type: 'number' | 'integer' }>): string {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = field;
  const [min, max] = [field.minimum, field.maximum].map((bound) =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined,
  );
  const inclusive = min === undefined && max === undefined ? '' : numberBounds(min, max);
  return [
    inclusive,
    above === undefined ? '' : t('More than {above}', { above: String(above) }),
    below === undefined ? '' : t('Less than {below}', { below: String(below) }),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function numberBounds(min: number | undefined, max: number | undefined): string {
  // A bound is part of the format: it is written as it is typed.
  const [from, to] = [String(min), String(max)];
  if (min === undefined) return t('At most {max}', { max: to });
  return max === undefined
    ? t('At least {min}', { min: from })
    : t('{min} to {max}', { min: from, max: to });
}
