/**
 * What a person filled in, against the schema they were shown.
 *
 * Unanswered never reads as consent: blank text, no choice and a missing value are the same thing, an
 * error where the field is required and absent from the result where it is not. A default is what the
 * page showed first, so it counts only when it was sent back. Values are never converted or trimmed.
 */
import type { Json, JsonObject } from '../../protocol/json.ts';
import { choicesOf } from '../../protocol/schema/kinds/form-schema.ts';
import type { FormSchema } from '../../protocol/schema/kinds/form-schema.ts';
import { fieldProblem, patternBudget } from './check-field.ts';

export type FormValues =
  | { readonly ok: true; readonly values: JsonObject }
  | { readonly ok: false; readonly fieldErrors: Record<string, string> };

/** Errors for fields that do not exist repeat the sender's own keys; a few say enough. */
const MAX_UNKNOWN = 20;

export function checkFormValues(schema: FormSchema, values: JsonObject): FormValues {
  const errors: [string, string][] = [];
  const kept: [string, Json][] = [];
  const required = new Set(schema.required);
  const budget = patternBudget();

  for (const [name, field] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || isUnanswered(value)) {
      if (required.has(name)) errors.push([name, 'This field is required.']);
      continue;
    }
    const problem = fieldProblem(field, value, budget);
    if (problem === undefined) kept.push([name, value]);
    else errors.push([name, problem]);
  }

  const unknown = Object.keys(values).filter((name) => !Object.hasOwn(schema.properties, name));
  for (const name of unknown.slice(0, MAX_UNKNOWN))
    errors.push([name, 'This form has no such field.']);

  // `fromEntries` defines properties: a field called `__proto__` stays a field.
  if (errors.length > 0) return { ok: false, fieldErrors: Object.fromEntries(errors) };
  return { ok: true, values: Object.fromEntries(kept) };
}

/** The one field that a line of chat text can fill in: the form has nothing else, and it is text. */
export function soleTextField(schema: FormSchema): string | undefined {
  const [first, ...others] = Object.entries(schema.properties);
  if (first === undefined || others.length > 0) return undefined;
  const [name, field] = first;
  return field.type === 'string' && choicesOf(field) === undefined ? name : undefined;
}

function isUnanswered(value: Json): boolean {
  return typeof value === 'string'
    ? value.trim() === ''
    : Array.isArray(value) && value.length === 0;
}
