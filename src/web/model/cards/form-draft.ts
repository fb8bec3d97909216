/**
 * The typed fields of a form, and the values they stand for.
 *
 * Pure. An empty field is left out and is never a value: nothing is preselected, and "no" must be chosen. The server
 * checks the rest of the schema and reports errors by field.
 */
import type { JsonObject } from '../../../protocol/types.ts';
import { type Field, typedFormOf } from './form-fields.ts';
import { t } from '../language.ts';

export type Typed = string | readonly string[];
export type FormDraft = Readonly<Record<string, Typed>>;

/** Earlier input overrides the defaults: from this form, or from the form that it replaces (FORM-2). */
export function firstDraft(
  fields: readonly Field[],
  typedBefore: JsonObject | undefined,
  kept: JsonObject | undefined,
): FormDraft {
  const draft: Record<string, Typed> = {};
  for (const { name, initial, input } of fields) {
    const isMany = input.type === 'many';
    const before = [kept?.[name], typedFormOf(typedBefore?.[name]), initial].find(
      (typed): typed is Typed => (isMany ? areTexts(typed) : typeof typed === 'string'),
    );
    draft[name] = before ?? (isMany ? [] : '');
    if (input.type === 'text' && input.as === 'datetime-local' && typeof before === 'string') {
      draft[name] = localTimeOf(before);
    }
  }
  return draft;
}

export function toggleChoice(typed: Typed, value: string): readonly string[] {
  const all = typeof typed === 'string' ? [] : typed;
  return all.includes(value) ? all.filter((one) => one !== value) : [...all, value];
}

export type Filled =
  | { readonly ok: true; readonly values: JsonObject }
  | { readonly ok: false; readonly fieldErrors: Readonly<Record<string, string>> };

export function valuesIn(fields: readonly Field[], draft: FormDraft): Filled {
  const values: Record<string, JsonObject[string]> = {};
  const fieldErrors: Record<string, string> = {};
  for (const field of fields) {
    const typed = draft[field.name] ?? '';
    if (typed.length === 0) {
      if (field.isRequired) fieldErrors[field.name] = missingText(field);
      continue;
    }
    const value = valueOf(field, typed);
    if (value === undefined) fieldErrors[field.name] = wrongText(field);
    else values[field.name] = value;
  }
  return Object.keys(fieldErrors).length > 0 ? { ok: false, fieldErrors } : { ok: true, values };
}

function valueOf({ input }: Field, typed: Typed): JsonObject[string] | undefined {
  if (typeof typed !== 'string') return [...typed];
  switch (input.type) {
    case 'yes-no':
      return typed === 'yes';
    case 'number': {
      const number = Number(typed);
      const fits = Number.isFinite(number) && (!input.isWhole || Number.isInteger(number));
      return typed.trim() !== '' && fits ? number : undefined;
    }
    case 'text':
      return input.as === 'datetime-local' ? instantOf(typed) : typed;
    default:
      return typed;
  }
}

/** A browser gives local time without an offset; a value from elsewhere may have one. */
function instantOf(typed: string): string | undefined {
  const at = Date.parse(typed);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** The format of the browser's date and time field. */
function localTimeOf(typed: string): string {
  const at = Date.parse(typed);
  if (Number.isNaN(at)) return '';
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function missingText({ input }: Field): string {
  switch (input.type) {
    case 'yes-no':
    case 'one':
      return t('Required');
    case 'many':
      return t('Choose at least one');
    default:
      return t('Required');
  }
}

function wrongText({ input }: Field): string {
  if (input.type !== 'number') return t('This is no date and time');
  return input.isWhole ? t('Use a whole number') : t('Use a number');
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
