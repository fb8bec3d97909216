/**
 * Settings that are more than one text, as a person writes them into a field: names with their values, a line each, or JSON.
 * What a person does not touch is not read back, so no value that a line cannot hold is lost.
 */
import { isObject, type JsonObject } from '../../protocol/types.ts';
import { rawJson } from './folding.ts';
import { t } from './language.ts';

export type FieldForm = 'pairs' | 'json';

export function textOfField(form: FieldForm, value: unknown): string {
  if (!isObject(value)) return '';
  if (form === 'json') return rawJson(value);
  return Object.entries(value)
    .map(([name, text]) => `${name} = ${typeof text === 'string' ? text : rawJson(text)}`)
    .join('\n');
}

type ParsedText =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: string };

export function parseFieldText(form: FieldForm, text: string): ParsedText {
  return form === 'json' ? parseJsonObject(text) : parsePairs(text);
}

function parseJsonObject(text: string): ParsedText {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return { ok: true, value };
  } catch {
    // The sentence below is the same for every text that is no object.
  }
  return { ok: false, problem: t('Write a JSON object, such as {"to": "{to}"}') };
}

function parsePairs(text: string): ParsedText {
  const pairs = new Map<string, string>();
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [name = '', ...rest] = line.split('=');
    const [key, value] = [name.trim(), rest.join('=').trim()];
    if (key === '' || value === '') {
      return {
        ok: false,
        problem: t('Line {line}: write a name, = and a value', { line: at + 1 }),
      };
    }
    if (pairs.has(key))
      return { ok: false, problem: t('Line {line}: {key} stands twice', { line: at + 1, key }) };
    pairs.set(key, value);
  }
  return { ok: true, value: Object.fromEntries(pairs) };
}
