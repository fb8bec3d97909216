/**
 * The JSON for a mail provider, from a template of its field names. Values go into parsed JSON and never into its text, so
 * that no value can add a field.
 */
import type { Json, JsonObject } from '../../../protocol/json.ts';
import { isObject } from '../../../protocol/guards.ts';
import type { OutgoingMail } from './compose-mail.ts';

/** The names that several providers use. */
const USUAL_TEMPLATE: JsonObject = {
  from: '{from}',
  to: '{toList}',
  subject: '{subject}',
  text: '{text}',
  html: '{html}',
  headers: '{headers}',
};

export function fillTemplate(mail: OutgoingMail, template: JsonObject = USUAL_TEMPLATE): Json {
  const values: ReadonlyMap<string, Json> = new Map<string, Json>([
    ['{id}', mail.id],
    ['{from}', mail.from],
    ['{to}', mail.to.join(', ')],
    ['{toList}', [...mail.to]],
    ['{subject}', mail.subject],
    ['{text}', mail.text],
    ['{html}', mail.html],
    ['{headers}', { ...mail.headers }],
  ]);
  return fill(template, values);
}

function fill(part: Json, values: ReadonlyMap<string, Json>): Json {
  if (typeof part === 'string') return values.get(part) ?? part;
  if (Array.isArray(part)) return part.map((one) => fill(one, values));
  if (!isObject(part)) return part;
  const entries = Object.entries(part);
  return Object.fromEntries(entries.map(([name, value]) => [name, fill(value, values)]));
}
