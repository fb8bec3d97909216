/** Bad bodies made from a good body: JSON with wrong values, and text that is not JSON. */
import type { ErrorCode } from '../../../src/protocol/errors.ts';
import type { Json, JsonObject } from '../../../src/protocol/json.ts';
import type { BodyExample, JsonType } from './examples.ts';

export interface BadBody {
  readonly name: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly codes: readonly ErrorCode[];
}

/** A body that breaks its schema is refused with one of these codes, depending on the check of that field. */
const MEANING: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_answer',
  'invalid_values',
  'wrong_kind',
  'unknown_kind',
  'unknown_event_type',
  'unknown_attachment',
  'not_offered',
  'input_changed',
  'not_found',
  'ambiguous_text',
];

const SAMPLES: Readonly<Record<JsonType, Json>> = {
  null: null,
  boolean: false,
  number: 7,
  string: 'text',
  array: ['text'],
  object: { text: 'text' },
};

function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

type Path = readonly string[];

function pathsIn(value: Json, free: readonly string[], at: Path = []): Path[] {
  if (value === null || typeof value !== 'object' || free.includes(at.join('.'))) return [at];
  const inside = Object.entries(value).flatMap(([name, child]) =>
    pathsIn(child, free, [...at, name]),
  );
  return [at, ...inside];
}

function at(value: Json, path: Path): Json {
  let found = value;
  for (const name of path) found = (found as JsonObject)[name] ?? null;
  return found;
}

/** A copy with one value changed; `undefined` removes the value, also from a list. */
function changed(value: Json, path: Path, to: Json | undefined): Json {
  const [name, ...rest] = path;
  if (name === undefined) return to ?? null;
  if (Array.isArray(value)) {
    return value.flatMap((child, index) => {
      if (String(index) !== name) return [child];
      return rest.length === 0 && to === undefined ? [] : [changed(child, rest, to)];
    });
  }
  const { [name]: child = null, ...others } = value as JsonObject;
  if (rest.length === 0 && to === undefined) return others;
  return { ...others, [name]: changed(child, rest, to) };
}

/** Wrong types for every field, an unknown field in every object, and every required field removed. */
export function badFields(example: BodyExample, body: JsonObject): BadBody[] {
  const { free = [], required = [], also = {}, nonsense = [], takesMore = [] } = example;
  const bad = (name: string, value: Json): BadBody => ({
    name,
    body: JSON.stringify(value),
    codes: MEANING,
  });
  const cases = nonsense.map((value, index) => bad(`nonsense ${index}`, value));
  for (const path of pathsIn(body, free)) {
    const name = path.join('.');
    const value = at(body, path);
    const type = typeOf(value);
    for (const [wrong, sample] of Object.entries(SAMPLES) as [JsonType, Json][]) {
      if (wrong === type || also[name]?.includes(wrong) === true) continue;
      cases.push(bad(`${name || 'body'} as ${wrong}`, changed(body, path, sample)));
    }
    if (type !== 'object' || free.includes(name)) continue;
    if (takesMore.includes(name)) continue;
    const more = { ...(value as JsonObject), surprise: { text: 'text' } };
    cases.push(bad(`unknown field in ${name || 'body'}`, changed(body, path, more)));
  }
  for (const name of required) {
    cases.push(bad(`without ${name}`, changed(body, name.split('.'), undefined)));
  }
  return cases;
}

const bytes = (...parts: (string | readonly number[])[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => Buffer.from(part as string & readonly number[]))),
  );

/** Text that never reaches a schema. `body` is the valid body, so that nothing else is wrong. */
export function badTexts(body: JsonObject, isEmptyFine: boolean, maxValues: number): BadBody[] {
  const valid = JSON.stringify(body);
  const [first] = Object.keys(body);
  const twice = first === undefined ? '"a":1,"a":1' : member(first, body[first] ?? null, 2);
  const having = (part: string) =>
    first === undefined ? `{${part}}` : `{${part},${valid.slice(1)}`;
  const escapedTwin = first === undefined ? '"a":1,"\\u0061":1' : escapedMember(first, body);
  const texts: Record<string, string | Uint8Array<ArrayBuffer>> = {
    'not JSON': 'surprise',
    'half of it': valid.slice(0, -1),
    twice: valid + valid,
    'a trailing comma': `${valid.slice(0, -1)},}`,
    'single quotes': "{'a':1}",
    'a comment': `/* */${valid}`,
    'a form': 'text=hello&more=1',
    XML: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    NaN: having('"n":NaN'),
    '33 levels': having(`"n":${'['.repeat(32)}${']'.repeat(32)}`),
    '100,000 levels': having(`"n":${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    '100,000 levels without an end': '['.repeat(100_000),
    '100,000 objects deep': '{"a":'.repeat(40_000),
    'too many values': having(`"n":[${'1,'.repeat(maxValues)}1]`),
    'a byte that is no UTF-8': bytes(having('"n":"x"').slice(0, -2), [0xff], '"}'),
    'an overlong encoding': bytes('{"n":"', [0xc0, 0xaf], '"}'),
    'a surrogate as raw bytes': bytes('{"n":"', [0xed, 0xa0, 0x80], '"}'),
    'UTF-16': new Uint8Array(Buffer.from(`\ufeff${valid}`, 'utf16le')),
    'a lone high surrogate': having('"n":"\\ud800"'),
    'a lone low surrogate': having('"n":"\\udc00x"'),
    'a lone surrogate in a key': having('"\\ud800":1'),
    'NUL, escaped': having('"n":"a\\u0000b"'),
    'NUL, raw': bytes('{"n":"a', [0], 'b"}'),
    'NUL after the end': bytes(valid, [0]),
    'the same key twice': `{${twice}}`,
    'the same key twice, once escaped': `{${escapedTwin}}`,
    __proto__: having('"__proto__":{"scopes":["admin"]}'),
    '__proto__, escaped': having('"\\u005f_proto__":{"admin":true}'),
    constructor: having('"constructor":{"prototype":{"admin":true}}'),
    'prototype, deeper': having('"n":{"prototype":1}'),
    '1e400': having('"n":1e400'),
    '-1e400': having('"n":-1e400'),
    '-0': having('"n":-0'),
    '-0.0': having('"n":-0.0'),
    'an unsafe integer': having('"n":9007199254740993'),
    '1e300': having('"n":1e300'),
    'a leading zero': having('"n":01'),
    ...(!isEmptyFine && { nothing: '', 'white space': ' \r\n\t' }),
  };
  const cases = Object.entries(texts).map(
    ([name, text]): BadBody => ({ name, body: text, codes: ['invalid_json'] }),
  );
  for (const [name, text] of [
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"text"'],
    ['a number', '5'],
    ['true', 'true'],
  ] as const) {
    cases.push({ name, body: text, codes: ['invalid_request'] });
  }
  return cases;
}

function member(name: string, value: Json, times: number): string {
  return Array.from(
    { length: times },
    () => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  ).join();
}

/** The same key again, its first letter written as an escape. */
function escapedMember(name: string, body: JsonObject): string {
  const code = name.charCodeAt(0).toString(16).padStart(4, '0');
  const value = JSON.stringify(body[name]);
  return `"\\u${code}${name.slice(1)}":${value},${JSON.stringify(name)}:${value}`;
}
