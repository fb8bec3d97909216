/**
 * Texts that parsers of JSON have disagreed on, in the three classes that such suites have: those a
 * parser must take, those it must refuse, and those it may choose about. A bug here is a text that
 * this service and another program read differently, or one that only this service cannot read.
 */
import { describe, expect, it } from 'vitest';
import { checkJson, decodeUtf8, type JsonResult, parseJson } from '../../src/protocol/json.ts';

type Source = string | readonly number[];

/** As a body is read: bytes first. */
function read(source: Source): JsonResult {
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
  const text = decodeUtf8(Uint8Array.from(bytes));
  return text === undefined ? { ok: false, problem: 'Not UTF-8' } : parseJson(text);
}

const NUMBERS = [
  '0',
  '[123]',
  '[20e1]',
  '[0e+1]',
  '[0e1]',
  '[ 4]',
  '[-123]',
  '[-1]',
  '[123e-2]',
  '[1E-2]',
  '[1E+2]',
  '[1E2]',
  '[123.456e2]',
  '[123.456789]',
  '[1e1]',
  '[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]',
  '[0.1e1]',
  '[1.0]',
];
const STRINGS = [
  '""',
  '[""]',
  '["asd"]',
  '[ "asd"]',
  '["\\u0060\\u012a\\u12AB"]',
  '["\\uD801\\udc37"]',
  '["\\ud83d\\ude39\\ud83d\\udc8d"]',
  '["\\"\\\\\\/\\b\\f\\n\\r\\t"]',
  '["\\\\u0000"]',
  '["\\""]',
  '["a/*b*/c/*d//e"]',
  '["\\\\a"]',
  '["\\\\n"]',
  '["\\u0012"]',
  '["\\uFFFF"]',
  '["\uffff"]',
  '["\u{10ffff}"]',
  '["\u{1ffff}"]',
  '["\\uDBFF\\uDFFE"]',
  '["\\u00A0\u00a0\\u200B\\uFEFF"]',
  '["\u2028\u2029"]',
  '["\\u2028\\u2029"]',
  '["π ⍂㈴⍂ 𝄞 €"]',
  '["\u007f\\u007F"]',
  '["new\\u000Aline"]',
  '["\\uA66D\\u005C\\u0022\\u2064"]',
  '"\u0080\u0081"',
];
const STRUCTURES = [
  'null',
  'true',
  ' false',
  '[]',
  '{}',
  '[[]   ]',
  '[ ]',
  ' [] ',
  '\t\n\r {} \r\n\t',
  '[false,true,null,1,"a",{},[]]',
  '[1,null,null,null,2]',
  '[1\n]',
  '[2] ',
  '{"a":"b","c":{}}',
  '{"":0}',
  '{"a":[]}',
  '{\n"a": "b"\n}',
  '{"x":[{"id":"xxxx"}],"id":"xxxx"}',
  '{"title":"\\u041f\\u043e\\u043b"}',
  '{"\u2028":1,"\uffff":2,"\u{1f600}":3}',
  '{"asd":"sdf","dfg":"fgh"}',
];

describe('a text that must be taken', () => {
  it.each([...NUMBERS, ...STRINGS, ...STRUCTURES])('[LIM-1] %j', (text) => {
    const value: unknown = JSON.parse(text);
    expect(read(text)).toEqual({ ok: true, value });
    expect(checkJson(value)).toEqual({ ok: true, value });
  });
});

/** Valid JSON, and refused all the same: another program could read these texts differently. */
const ON_PURPOSE: readonly [text: string, problem: string][] = [
  ['[123e65]', 'A number beyond 2^53 is not exact; send it as text'],
  ['[1E22]', 'A number beyond 2^53 is not exact; send it as text'],
  ['[123e45]', 'A number beyond 2^53 is not exact; send it as text'],
  ['[123.456e78]', 'A number beyond 2^53 is not exact; send it as text'],
  ['{"min":-1.0e+28,"max":1.0e+28}', 'A number beyond 2^53 is not exact; send it as text'],
  ['[-0]', 'Negative zero is not kept; write 0'],
  ['[-0.0e5]', 'Negative zero is not kept; write 0'],
  ['{"a":"b","a":"c"}', 'Duplicate key "a"'],
  ['{"a":"b","a":"b"}', 'Duplicate key "a"'],
  ['{"foo\\u0000bar":42}', 'A key contains the character U+0000'],
  ['["\\u0000"]', 'Text contains the character U+0000'],
];

describe('a text that is JSON and is refused', () => {
  it.each(ON_PURPOSE)('[LIM-1, INT-12] %s: %s', (text, problem) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(read(text)).toMatchObject({ ok: false, problem });
  });
});

const NOT_JSON: readonly string[] = [
  // Lists.
  ['[1 true]', '["": 1]', '[""],', '[,1]', '[1,,2]', '["x",,]', '["x"]]', '["",]', '["x"', '[x'],
  [
    '[3[4]]',
    '[1:2]',
    '[,]',
    '[-]',
    '[   , ""]',
    '[1,]',
    '[1,,]',
    '["a",\n4\n,1,',
    '[*]',
    '[""',
    '[1,',
  ],
  [
    '[1,\n1\n,1',
    '[{}',
    '["a"\f]',
    '["\va"\\f]',
    '[\u0001]',
    ']',
    '[',
    '[][]',
    '[1]x',
    '[}',
    '[fals]',
  ],
  // Words.
  [
    '[nul]',
    '[tru]',
    '[True]',
    'TRUE',
    'undefined',
    'nan',
    '[NaN]',
    '[Infinity]',
    '[-Infinity]',
    '[Inf]',
  ],
  // Numbers.
  [
    '[++1234]',
    '[+1]',
    '[+Inf]',
    '[-01]',
    '[-1.0.]',
    '[-2.]',
    '[-NaN]',
    '[.-1]',
    '[.2e-3]',
    '[0.1.2]',
  ],
  ['[0.3e+]', '[0.3e]', '[0.e1]', '[0_1]', '[0E+]', '[0E]', '[0e+]', '[0e]', '[1.0e+]', '[1.0e-]'],
  [
    '[1.0e]',
    '[1 000.0]',
    '[1eE2]',
    '[1e+2.5]',
    '[2.e+3]',
    '[2.e-3]',
    '[2.e3]',
    '[9.e+]',
    '[1+2]',
    '[0x1]',
  ],
  [
    '[0x42]',
    '[123\u0661]',
    '[\u0661]',
    '[-foo]',
    '[- 1]',
    '[-012]',
    '[-.123]',
    '[-1x]',
    '[1ea]',
    '[1.]',
  ],
  [
    '[.123]',
    '[1.2a-3]',
    '[1.8011670033376514H-308]',
    '[012]',
    '[2 3]',
    '2@',
    '-',
    '[-',
    '1e1e1',
    '\uff11',
  ],
  // Objects.
  [
    '["x", truth]',
    '{[: "x"}\n',
    '{"x", null}',
    '{"x"::"b"}',
    '{"a":"a" 123}',
    "{key: 'value'}",
    '{"a" b}',
  ],
  [
    '{:"b"}',
    '{"a" "b"}',
    '{"a":',
    '{"a"',
    '{1:1}',
    '{9999E9999:1}',
    '{null:null,null:null}',
    '{"id":0,,,,,}',
  ],
  [
    "{'a':0}",
    '{"id":0,}',
    '{"a":"b"}/**/',
    '{"a":"b"}/**//',
    '{"a":"b"}//',
    '{"a":"b"}/',
    '{"a":"b",,"c":"d"}',
  ],
  [
    '{a: "b"}',
    '{"a":"a',
    '{ "foo" : "bar", "a" }',
    '{"a":"b"}#',
    '{',
    '{]',
    '{,',
    '{[',
    '{"a',
    "{'a'",
    '{}}',
    '{"":',
  ],
  ['{"a":/*comment*/"b"}', '{"a": true} "x"', '{"\\u0000a":1', '{"a":1 "b":2}', '{"x":1]'],
  // Strings.
  [
    '["\\uD800\\"]',
    '["\\uD800\\u"]',
    '["\\uD800\\u1"]',
    '["\\uD800\\u1x"]',
    '[\u00e9]',
    '["\\\u0000"]',
    '["\\x00"]',
  ],
  [
    '["\\\\\\"]',
    '["\\\t"]',
    '["\\🌀"]',
    '["\\"]',
    '["\\u00A"]',
    '["\\uD834\\uDd"]',
    '["\\uD800\\uD800\\x"]',
    '["\\a"]',
  ],
  [
    '["\\uqqqq"]',
    '[\\u0020"asd"]',
    '[\\n]',
    '"',
    "['single quote']",
    'abc',
    '["\\',
    '["a\u0000a"]',
    '["new\nline"]',
  ],
  ['["\t"]', '"\\UA66D"', '""x', '["\u001f"]', '\\u0022a\\u0022', '"a" //b', '`a`', '«»'],
  // Whatever else.
  [
    '<.>',
    '[<null>]',
    '[1]]',
    '["asd]',
    'aå',
    '[True]',
    '1]',
    '{"x": true,',
    '[][]',
    '*',
    '{"a":"b"}#{}',
    '[\u2060]',
  ],
  [
    '[\f]',
    '\u00a0[]',
    '\u2028[]',
    '\ufeff\ufeff[]',
    '',
    ' ',
    '/',
    '"\\u0061',
    ',',
    ':',
    '[1;2]',
    '{"a";1}',
    '\ufeff',
  ],
].flat();
const NOT_TEXT: readonly [what: string, bytes: readonly number[]][] = [
  ['a byte that occurs in no text', [0x5b, 0xff, 0x5d]],
  ['a byte outside of a string', [0x5b, 0x61, 0xe5, 0x5d]],
  ['a byte in a number', [0x5b, 0x30, 0xe5, 0x5d]],
  ['a byte after an exponent', [0x5b, 0x31, 0x65, 0x31, 0xe5, 0x5d]],
  ['a byte in a key', [0x7b, 0x22, 0xb9, 0x22, 0x3a, 0x30, 0x7d]],
  ['a byte after a backslash', [0x5b, 0x22, 0x5c, 0xe5, 0x22, 0x5d]],
  ['half of a byte order mark', [0xef, 0xbb, 0x7b, 0x7d]],
];

describe('a text that must be refused', () => {
  it.each([...new Set(NOT_JSON)])('[LIM-1] %j', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(read(text)).toMatchObject({ ok: false });
  });

  it.each(NOT_TEXT)('[LIM-1] %s', (_, bytes) => {
    expect(read(bytes)).toEqual({ ok: false, problem: 'Not UTF-8' });
  });

  it('[LIM-1] a hundred thousand brackets', () => {
    expect(read('['.repeat(100_000))).toMatchObject({ ok: false });
    expect(read('[{"":'.repeat(50_000))).toMatchObject({ ok: false });
  });
});

const HALF = /half of a surrogate pair/;
const BYTES = /Not UTF-8/;

/** Parsers may accept or refuse these texts; this parser refuses them unless every reader agrees. */
const CHOICE: readonly [what: string, source: Source, problem: RegExp | undefined][] = [
  ['a huge exponent', '[0.4e00669999999999999999999999999999]', /not finite/],
  ['a huge negative number', '[-1e+9999]', /not finite/],
  ['a huge number', '[1.5e+9999]', /not finite/],
  ['a number too close to 0', '[123e-10000000]', /too close to zero/],
  ['a number written as long as one', `[0.${'0'.repeat(400)}1]`, /too close to zero/],
  ['a long integer', '[100000000000000000000]', /2\^53/],
  ['a long negative integer', '[-237462374673276894279832749832423479823246327846]', /2\^53/],
  ['the first half of a pair', '["\\uD800"]', HALF],
  ['the second half of a pair', '["\\uDFAA"]', HALF],
  ['the second half in a key', '{"\\uDFAA":0}', HALF],
  ['a pair the wrong way round', '["\\uDd1e\\uD834"]', HALF],
  ['two first halves', '["\\uD800\\uD800\\n"]', HALF],
  ['a first half and an escape', '["\\uD800\\n"]', HALF],
  ['a first half and letters', '["\\uD888\\u1234"]', HALF],
  ['Latin-1', [0x5b, 0x22, 0xe9, 0x22, 0x5d], BYTES],
  ['a surrogate in UTF-8', [0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d], BYTES],
  ['an overlong character', [0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d], BYTES],
  ['an overlong null', [0x5b, 0x22, 0xe0, 0x80, 0x80, 0x22, 0x5d], BYTES],
  ['a character beyond the last', [0x5b, 0x22, 0xf4, 0xbf, 0xbf, 0xbf, 0x22, 0x5d], BYTES],
  ['a character that is cut off', [0x5b, 0x22, 0xe0, 0xff, 0x22, 0x5d], BYTES],
  ['a lone byte that goes on', [0x5b, 0x22, 0x81, 0x22, 0x5d], BYTES],
  ['UTF-16 with a mark', [0xff, 0xfe, 0x5b, 0x00, 0x5d, 0x00], BYTES],
  ['UTF-16 without a mark', [0x5b, 0x00, 0x22, 0x00, 0xe9, 0x00, 0x22, 0x00, 0x5d, 0x00], BYTES],
  ['five hundred levels', '['.repeat(500) + ']'.repeat(500), /32 levels/],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], undefined],
];

describe('a text that may be taken or refused', () => {
  it.each(CHOICE)('[LIM-1, INT-12] %s', (_, source, problem) => {
    const result = read(source);
    expect(result.ok).toBe(problem === undefined);
    expect(result.ok ? '' : result.problem).toMatch(problem ?? '');
  });
});
