/** The input of a tool as JSON to edit, as a person edited it, or where the text stops being that. */
import { isObject, type JsonObject } from '../../../protocol/types.ts';
import { visibleParts } from '../../../protocol/escapes.ts';
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
    // The place, and not the words of the browser: they are English, and name signs that the person did not type.
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

/** JSON with invisible characters escaped: a text field would apply an override of the reading order. */
export function editableJson(input: JsonObject): string {
  return visibleParts(JSON.stringify(input, null, 2))
    .map(({ text, isEscape }) => (isEscape ? jsonEscape(text) : text))
    .join('');
}

/** `\u{E0041}` is not JSON; the two surrogates are. */
function jsonEscape(spelled: string): string {
  const code = /^\\u\{(\w+)\}$/.exec(spelled)?.[1];
  if (code === undefined) return spelled;
  const character = String.fromCodePoint(Number.parseInt(code, 16));
  return [...Array(character.length).keys()]
    .map((at) => String.raw`\u${character.charCodeAt(at).toString(16).toUpperCase()}`)
    .join('');
}
