/** The input of a tool as a person edited it as JSON, or where the text stops being that. */
import { isObject, type JsonObject } from '../../../protocol/types.ts';
import { findJsonFault } from '../../../protocol/json-fault.ts';
import { t } from '../language.ts';

export type Edited =
  | { readonly ok: true; readonly input: JsonObject }
  | { readonly ok: false; readonly problem: string };

export function editedInput(text: string): Edited {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The place, and not the words of the browser: they are English, and name signs that nobody typed.
    const { line, column } = findJsonFault(text);
    return {
      ok: false,
      problem: t('This is not JSON: look at line {line}, column {column}.', { line, column }),
    };
  }
  return isObject(value)
    ? { ok: true, input: value }
    : { ok: false, problem: t('The input must be a JSON object: {example}', { example: '{ … }' }) };
}
