/** Values that programs handle wrongly: as JSON, and as JSON text that no value serializes to. */
import type { Json } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Random } from '../support/random.ts';

const TEXTS = [
  '',
  ' ',
  '\t\n',
  '0',
  'null',
  'true',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '${7*7}{{7*7}}',
  '\u0000',
  '\u001b[31m',
  '\u202egnp.exe',
  '\u200b\ufeff',
  '\u{e0041}\u{e0042}',
  'ﬀ İ ı ß ẞ Ⅷ ①',
  'e\u0301\u0327'.repeat(40),
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '\uffff\ufffe',
  '𝒳'.repeat(70),
  '٣',
  'https://user@127.0.0.1:1/%00?a#b',
  'call-approval~1',
  '~1',
  'a~999999',
  'a'.repeat(128),
  'a'.repeat(129),
] as const;

const NUMBERS = [
  0,
  1,
  -1,
  0.5,
  1e-7,
  1.0000000000000002,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  LIMITS.timeoutMaxSeconds,
  LIMITS.timeoutMaxSeconds + 1,
  8.64e15,
  1e21,
] as const;

/** Lengths around the limits. */
const LENGTHS = [
  64,
  65,
  200,
  201,
  LIMITS.reasonChars,
  LIMITS.reasonChars + 1,
  2_001,
  LIMITS.feedbackChars + 1,
  LIMITS.textChars,
  LIMITS.textChars + 1,
  100_000,
] as const;

export function oddText(random: Random): string {
  if (random.chance(0.75)) return random.pick(TEXTS);
  const unit = random.pick(['x', 'é', '\u{1f600}', ' ', '\\', '"', '\u2028']);
  return unit.repeat(random.pick(LENGTHS));
}

export function oddNumber(random: Random): number {
  return random.chance(0.3) ? random.int(-5, 1_005) : random.pick(NUMBERS);
}

export function anyJson(random: Random, depth = 0): Json {
  const kinds = { text: 4, number: 3, word: 2, list: depth < 4 ? 2 : 0, object: depth < 4 ? 2 : 0 };
  switch (random.weighted(kinds)) {
    case 'text':
      return oddText(random);
    case 'number':
      return oddNumber(random);
    case 'word':
      return random.pick([true, false, null]);
    case 'list':
      return Array.from({ length: random.int(0, 4) }, () => anyJson(random, depth + 1));
    case 'object':
      return Object.fromEntries(
        Array.from({ length: random.int(0, 4) }, () => [
          random.chance(0.5) ? fieldName(random) : oddText(random).slice(0, 300),
          anyJson(random, depth + 1),
        ]),
      );
  }
}

/** Names with a meaning in some field, to be used in fields where they have none. */
export function fieldName(random: Random): string {
  return random.pick([
    'id',
    'seq',
    'at',
    'by',
    'kind',
    'scopes',
    'subject',
    'workspace',
    'openedBy',
    'settledBy',
    'outcome',
    'status',
    'answer',
    'answers',
    'decision',
    'permissionMode',
    'inputDigest',
    'toolCallId',
    'interactionId',
    'payload',
    'type',
    'toString',
    'hasOwnProperty',
    'length',
    '0',
    'surprise',
  ]);
}

/** Texts in place of a JSON value; some are valid JSON, and dangerous. */
export function oddToken(random: Random): string {
  const deep = random.pick([31, 32, 33, 1_000, 60_000]);
  return random.pick([
    '1e400',
    '-1e400',
    '-0',
    '9007199254740993',
    '1E-400',
    '0.1e+1',
    '01',
    '.5',
    '+1',
    '0x10',
    'NaN',
    'Infinity',
    'undefined',
    '9'.repeat(400),
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"\\x41"',
    '"\ttab"',
    "'single'",
    '{"a":1,"a":2}',
    '{"\\u0061":1,"a":2}',
    '{"__proto__":{"scopes":["admin"]}}',
    '{"constructor":{"prototype":1}}',
    '[1,]',
    '{"a"}',
    '{,}',
    '/**/1',
    '1 2',
    '',
    '['.repeat(deep) + ']'.repeat(deep),
    '['.repeat(deep),
    `${'{"a":'.repeat(Math.min(deep, 40_000))}1${'}'.repeat(Math.min(deep, 40_000))}`,
    `[${'0,'.repeat(21_000)}0]`,
    `"${'y'.repeat(random.pick([70_000, LIMITS.bodyBytes, 2 * LIMITS.bodyBytes]))}"`,
  ]);
}
