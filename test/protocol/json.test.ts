/**
 * A bug here would look like this: a person approves the first of two equal keys, the tool runs the last.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkJson, decodeUtf8, parseJson } from '../../src/protocol/json.ts';

/** Texts that `JSON.parse` accepts and this module refuses, with the problem it reports. */
const REFUSED: readonly [text: string, problem: string, path: string][] = [
  ['{"a":1,"a":2}', 'Duplicate key "a"', ''],
  ['{"a":1,"\\u0061":2}', 'Duplicate key "a"', ''],
  ['{"x":[{"a":1},{"b":{"c":1,"c":1}}]}', 'Duplicate key "c"', '/x/1/b'],
  ['["\\ud83d"]', 'Text contains half of a surrogate pair', '/0'],
  ['["\ud83d"]', 'Text contains half of a surrogate pair', '/0'],
  ['{"\\udc00":1}', 'A key contains half of a surrogate pair', ''],
  ['{"a":"x\\u0000"}', 'Text contains the character U+0000', '/a'],
  ['{"a\\u0000":1}', 'A key contains the character U+0000', ''],
  ['[1,9007199254740992]', 'A number beyond 2^53 is not exact; send it as text', '/1'],
  ['-9007199254740992', 'A number beyond 2^53 is not exact; send it as text', ''],
  ['1e16', 'A number beyond 2^53 is not exact; send it as text', ''],
  ['6.02214076e23', 'A number beyond 2^53 is not exact; send it as text', ''],
  ['-1.5e300', 'A number beyond 2^53 is not exact; send it as text', ''],
  ['{"n":1e400}', 'A number is not finite', '/n'],
  ['-0', 'Negative zero is not kept; write 0', ''],
  ['[-0.0]', 'Negative zero is not kept; write 0', '/0'],
  ['{"__proto__":1}', 'The key "__proto__" is reserved', ''],
  ['{"a":{"\\u005f_proto__":1}}', 'The key "__proto__" is reserved', '/a'],
  ['{"constructor":1}', 'The key "constructor" is reserved', ''],
  ['{"prototype":1}', 'The key "prototype" is reserved', ''],
  ['{"a/b":{"~":[-0]}}', 'Negative zero is not kept; write 0', '/a~1b/~0/0'],
];

/** What only the text shows: as a value, each is a number like any other. */
const LOST: readonly [text: string, problem: string, path: string][] = [
  ['1e-400', 'A number is too close to zero to be kept; send it as text', ''],
  ['-1e-400', 'A number is too close to zero to be kept; send it as text', ''],
  ['[123e-10000000]', 'A number is too close to zero to be kept; send it as text', '/0'],
  ['{"a":0.0000e5,"b":2e-324}', 'A number is too close to zero to be kept; send it as text', '/b'],
  ['9007199254740991.4', 'A number beyond 2^52 keeps no fraction; send it as text', ''],
  ['-4503599627370496.5', 'A number beyond 2^52 keeps no fraction; send it as text', ''],
  ['[900719925474099.14e1]', 'A number beyond 2^52 keeps no fraction; send it as text', '/0'],
  ['90071992547409914e-1', 'A number beyond 2^52 keeps no fraction; send it as text', ''],
];

describe('parseJson', () => {
  it.each(LOST)(
    '[INT-12] refuses %s, which would not be the number that was written',
    (text, problem, path) => {
      expect(() => JSON.parse(text)).not.toThrow();
      expect(parseJson(text)).toEqual({ ok: false, problem, path });
    },
  );

  it.each(REFUSED)('refuses %s', (text, problem, path) => {
    expect(() => JSON.parse(text)).not.toThrow();
    expect(parseJson(text)).toEqual({ ok: false, problem, path });
  });

  it.each([
    '',
    ' ',
    'x',
    '{',
    ']',
    '[1',
    '[1}',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    "{'a':1}",
    '[1,]',
    '01',
    '1.',
    '1-2',
    '0x10',
    '+1',
    'NaN',
    'Infinity',
    '"a',
    '"\\x"',
    '"\\',
    '"\n"',
    '"a" "b"',
    '\ufeff{}',
    '\u00a01',
  ])('reports that %j is not JSON', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    const place = { line: expect.any(Number), column: expect.any(Number) };
    const problem = expect.stringMatching(/^Not valid JSON: ./);
    expect(parseJson(text)).toEqual({ ok: false, problem, ...place });
  });

  it.each([
    'null',
    '9007199254740991',
    '0.1',
    '-1.5e-7',
    '0e-400',
    '0.000e400',
    '5e-324',
    '1.0000000000000001',
    '4503599627370495.5',
    '9007199254740991.000',
    '90071992547409910e-1',
    '9.007199254740991e15',
    '"😀"',
    '"\\ud83d\\ude00"',
    '"\ud83d\\ude00"',
    '{"":{"":[]},"a b":" , : { \\" } "}',
    '{"a":{"x":1},"b":{"x":1}}',
    '[{"x":1},{"x":1}]',
    '{"a":"b","c":"a"}',
    ' [ true , false , null ]\r\n\t',
    '{"toString":1,"hasOwnProperty":2}',
  ])('takes %s as JSON.parse does', (text) => {
    expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it('takes 32 levels and refuses the 33rd', () => {
    expect(parseJson('['.repeat(32) + ']'.repeat(32)).ok).toBe(true);
    expect(parseJson('{"a":'.repeat(33) + '1' + '}'.repeat(33))).toEqual({
      ok: false,
      problem: 'Nested more than 32 levels deep',
      path: '/a'.repeat(32),
    });
  });

  it('takes 20,000 values and refuses one more', () => {
    expect(parseJson(`[${'1,'.repeat(19_998)}1]`).ok).toBe(true);
    expect(parseJson(`[${'1,'.repeat(19_999)}1]`)).toMatchObject({
      ok: false,
      problem: 'More than 20000 values',
    });
  });

  it('has limits the caller can narrow', () => {
    expect(parseJson('[[]]', { maxDepth: 1 }).ok).toBe(false);
    expect(parseJson('[1,2]', { maxNodes: 2 }).ok).toBe(false);
    expect(parseJson('[1]', { maxDepth: 1, maxNodes: 2 }).ok).toBe(true);
  });

  it('survives a body of brackets alone', () => {
    expect(parseJson('['.repeat(256 * 1024)).ok).toBe(false);
    expect(parseJson('[]'.repeat(128 * 1024)).ok).toBe(false);
    expect(parseJson(']'.repeat(256 * 1024)).ok).toBe(false);
  });

  it('does not echo a long key in full', () => {
    const key = 'k'.repeat(1_000);
    const result = parseJson(`{"${key}":1,"${key}":2}`);
    expect(result).toMatchObject({ problem: `Duplicate key "${'k'.repeat(64)}…"` });
    expect(parseJson(`{"${key}":-0}`)).not.toHaveProperty('path');
  });
});

describe('checkJson', () => {
  it.each([
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['a function', { a: () => 1 }],
    ['a bigint', [1n]],
    ['a symbol key', { [Symbol('a')]: 1 }],
    ['a date', new Date(0)],
    ['a map', new Map()],
    [
      'an instance of a class',
      new (class Point {
        x = 1;
      })(),
    ],
    ['a getter', Object.defineProperty({}, 'a', { get: () => 1, enumerable: true })],
    ['a hidden member', Object.defineProperty({}, 'a', { value: 1 })],
    ['a hole', Object.assign(Array(2), { 1: 'x' })],
    ['an array with a name', Object.assign([1], { extra: 2 })],
    ['a hole behind a name', Object.assign(Array(1), { '-1': 2 })],
    ['not a number', Number.NaN],
  ])('refuses %s', (_what, value) => {
    expect(checkJson(value)).toMatchObject({ ok: false });
  });

  it('refuses a value that contains itself', () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(checkJson(loop)).toMatchObject({ problem: 'Nested more than 32 levels deep' });
  });

  it('refuses a wide value before it has read all of it', () => {
    expect(checkJson(Array(20_000).fill(0))).toMatchObject({ problem: 'More than 20000 values' });
    expect(checkJson(Array(19_999).fill(0)).ok).toBe(true);
  });

  it('reports the first problem in reading order', () => {
    expect(checkJson({ a: [1, -0], b: Infinity })).toMatchObject({ path: '/a/1' });
  });

  it('takes objects without a prototype and returns the same value', () => {
    const value = Object.assign(Object.create(null) as object, { a: [1, { b: null }] });
    const result = checkJson(value);
    expect(result.ok && result.value).toBe(value);
  });

  it.each(REFUSED.filter(([, problem]) => !problem.startsWith('Duplicate')))(
    'agrees with parseJson about %s',
    (text, problem, path) => {
      expect(checkJson(JSON.parse(text))).toEqual({ ok: false, problem, path });
    },
  );
});

describe('decodeUtf8', () => {
  it('decodes, drops a leading byte order mark and refuses bytes that are not UTF-8', () => {
    expect(decodeUtf8(new TextEncoder().encode('é😀'))).toBe('é😀');
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d))).toBe('{}');
    expect(decodeUtf8(Uint8Array.of(0xff))).toBeUndefined();
    expect(decodeUtf8(Uint8Array.of(0xed, 0xa0, 0x80))).toBeUndefined();
    expect(decodeUtf8(new Uint8Array())).toBe('');
  });
});

describe('laws', () => {
  const text = fc.json({ maxDepth: 6, noUnicodeString: false });

  it('agrees with JSON.parse and with checkJson on every text that has no duplicate key', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
        const written = JSON.stringify(value);
        const parsed: unknown = JSON.parse(written);
        const result = parseJson(written);
        // Of two problems in one object, each names the one it meets first.
        expect(result.ok).toBe(checkJson(parsed).ok);
        expect(result.ok ? result.value : parsed).toEqual(parsed);
      }),
      { numRuns: 500 },
    );
  });

  it('gives a value or a sentence for any changed text', () => {
    const edit = fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:\\0-eE.utn \u0000\ud800'));
    fc.assert(
      fc.property(text, fc.array(edit, { maxLength: 4 }), (original, edits) => {
        let changed = original;
        for (const [place, char] of edits) {
          const at = place % (changed.length + 1);
          changed = changed.slice(0, at) + char + changed.slice(at + 1);
        }
        const result = parseJson(changed);
        expect(result.ok ? result.value : undefined).toEqual(
          result.ok ? (JSON.parse(changed) as unknown) : undefined,
        );
        expect(result.ok || result.problem !== '').toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('reports "Not valid JSON" only for texts that JSON.parse refuses', () => {
    fc.assert(
      fc.property(text, fc.nat(), (original, place) => {
        const at = place % original.length;
        const cut = original.slice(0, at) + original.slice(at + 1);
        const result = parseJson(cut);
        fc.pre(!result.ok && result.problem.startsWith('Not valid JSON'));
        expect(() => JSON.parse(cut)).toThrow();
      }),
    );
  });

  it('never throws on bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const decoded = decodeUtf8(bytes);
        if (decoded !== undefined) parseJson(decoded);
      }),
    );
  });
});
