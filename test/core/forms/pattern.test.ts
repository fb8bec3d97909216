/**
 * A bug here would look like this: one form field stops a session for minutes, or a value is refused
 * that the same pattern takes in a browser.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compilePattern,
  toProgram,
  runProgram,
} from '../../../src/core/forms/pattern/automaton.ts';
import { parsePattern } from '../../../src/core/forms/pattern/parse-pattern.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import { countFor } from '../../support/run-length.ts';

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.matches(text);
}

describe('compilePattern', () => {
  it.each([
    ['', 'anything', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['c$', 'abc', true],
    ['^abc$', 'abc', true],
    ['^$', '', true],
    ['^a|b$', 'cb', true],
    ['^(a|b)$', 'cb', false],
    ['^[A-Z]{2,3}-\\d{4}$', 'ABC-2026', true],
    ['^[A-Z]{2,3}-\\d{4}$', 'ABCD-2026', false],
    ['^a{2}$', 'aaa', false],
    ['^a{2,}$', 'aaa', true],
    ['^a{0}b$', 'b', true],
    ['^(?:ab)+?$', 'abab', true],
    ['^(a*)*$', 'aaa', true],
    ['^(a*)+b?$', 'aab', true],
    ['^(|a)+$', 'aa', true],
    ['^.$', '😀', true],
    ['^.$', '\n', false],
    ['^[^]$', '\n', true],
    ['[]', 'a', false],
    ['^[^a-c]$', 'd', true],
    ['^[\\w.-]+@[\\w.-]+$', 'a.b-c@d', true],
    ['^[a-]$', '-', true],
    ['^[-a]$', '-', true],
    ['^[^\\d\\s]+$', 'ab c', false],
    ['^\\u00e9\\x41\\u{1F600}$', 'éA😀', true],
    ['^\\ud83d\\ude00$', '😀', true],
    ['^\\t\\n\\r\\f\\v\\0$', '\t\n\r\f\v\0', true],
    ['^\\$\\.\\@\\-\\"$', '$.@-"', true],
    ['^\\D\\S\\W$', 'ab!', true],
    ['\\s', '\u2003', true],
  ])('%j on %j is %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it.each([
    ['(?=a)', 'Look-around is not supported'],
    ['(?!a)', 'Look-around is not supported'],
    ['(?<=a)', 'Look-around is not supported'],
    ['(?<!a)', 'Look-around is not supported'],
    ['(?<name>a)', 'Named groups are not supported'],
    ['(?i)a', 'Flags in a group are not supported'],
    ['(a)\\1', 'Back-references are not supported'],
    ['\\k<a>', 'Back-references are not supported'],
    ['\\bword', 'Word boundaries are not supported'],
    ['\\p{L}', 'Unicode properties are not supported'],
    ['\\cA', 'Control escapes are not supported'],
    ['\\z', 'The escape \\z is not known'],
    ['a**', 'There is nothing before * to repeat'],
    ['+', 'There is nothing before + to repeat'],
    ['^*', '^ and $ cannot be repeated'],
    ['a{', 'Write a repetition as {2}, {2,} or {2,5}'],
    ['a{,2}', 'Write a repetition as {2}, {2,} or {2,5}'],
    ['a{3,2}', 'A repetition counts from the smaller to the larger number'],
    ['{', 'Write \\{ for the character {'],
    ['a]', 'Write \\] for the character ]'],
    ['(a', 'A group is not closed'],
    ['a)', 'A ) has no group to close'],
    ['[a', 'A [ is not closed'],
    ['[b-a]', 'A range goes from the smaller to the larger character'],
    ['[\\d-z]', 'A range goes from one character to another; write \\- for a hyphen'],
    ['\\', 'A backslash needs a character after it'],
    ['[\\', 'A backslash needs a character after it'],
    ['\\u12', 'The escape needs 4 hexadecimal digits'],
    ['\\u{110000}', 'Write \\u{...} with a code point'],
    ['\\ud83d', 'A \\u escape is half of a surrogate pair'],
  ])('refuses %s', (pattern, problem) => {
    expect(compilePattern(pattern)).toEqual({ ok: false, problem });
  });

  it('[FORM-1] refuses a pattern of more than 256 characters', () => {
    expect(compilePattern('a'.repeat(256)).ok).toBe(true);
    expect(compilePattern('a'.repeat(257)).ok).toBe(false);
  });

  it.each(['a{2001}', '(a{1000}){1000}', '(((){999}){999}){999}', 'a{99999999999999999999}'])(
    '[FORM-1] refuses %s: too many states',
    (pattern) => {
      expect(compilePattern(pattern)).toMatchObject({ ok: false });
    },
  );

  it('[FORM-1] never has more states than the limit, however a pattern is nested', () => {
    expect(compilePattern(`${'('.repeat(80)}a${')+'.repeat(80)}`)).toMatchObject({ ok: true });
    expect(compilePattern('('.repeat(128) + ')'.repeat(128)).ok).toBe(true);
    expect(compilePattern('a{1999}')).toMatchObject({ ok: true, size: LIMITS.patternStates });
  });
});

/** Valid in JavaScript with the flag `u`; the refusal gives the author of the pattern the reason. */
const LEFT_OUT = [
  '(?=a)b',
  '(?<!a)b',
  '(?<year>\\d{4})',
  '(a)\\1',
  '\\bword\\b',
  '\\Bx',
  '\\p{Lu}+',
  '\\P{L}',
  '\\cJ',
  '[\\cJ]',
  '\\ud83d',
  '[\\b]',
];
/** Invalid in JavaScript: a backslash before a mark that needs none. Every author means the mark. */
const ALSO_TAKEN: readonly [pattern: string, text: string][] = [
  ['^\\-$', '-'],
  ['^\\@\\"\\\'$', '@"\''],
  ['^\\ \\#\\~$', ' #~'],
  ['^\\<\\>\\=\\:\\,\\;$', '<>=:,;'],
  ['^\\%\\&\\!\\`\\_$', '%&!`_'],
];

describe('differences from the RegExp of the language', () => {
  it.each(LEFT_OUT)('[FORM-1] %s is refused with a sentence', (pattern) => {
    expect(isNative(pattern)).toBe(true);
    expect(compilePattern(pattern)).toMatchObject({ ok: false, problem: expect.any(String) });
  });

  it.each(ALSO_TAKEN)('[FORM-1] %s is taken, and means %j', (pattern, text) => {
    expect(isNative(pattern)).toBe(false);
    expect(matches(pattern, text)).toBe(true);
    expect(matches(pattern, `${text}x`)).toBe(false);
  });

  it.each([
    '\\a',
    '\\_',
    '\\é',
    '\\8',
    '\\00',
    '[\\z]',
    '(?',
    '(?a)',
    '{1}',
    'a{2}{3}',
    '[z-a]',
    '\\x1',
  ])(
    '[FORM-1] %s has no meaning that all would guess, and is refused or means the mark',
    (pattern) => {
      const compiled = compilePattern(pattern);
      expect(compiled.ok).toBe(pattern === '\\_');
      expect(isNative(pattern)).toBe(false);
    },
  );

  const TEXTS = [
    '',
    'a',
    'b\n',
    '\n',
    '\r',
    '\u2028',
    '\u0085',
    '\ufeff',
    '\u00a0',
    '\u180e',
    '_',
    'é',
    'ſ',
    'K',
    '٣',
  ];
  const SURROGATES = [
    '\ud83d',
    '\ude00',
    '\ud83d\ude00',
    '\ude00\ud83d',
    'a\ud83d',
    '\ud83d\ud83d\ude00',
  ];

  it.each([
    '^.$',
    '^[^a]$',
    '\\s',
    '\\S',
    '\\w',
    '\\W',
    '\\d',
    '\\D',
    'a$',
    '^$',
    '^..$',
    '[\\s\\S]',
    '[^]',
    '^\\u{1f600}',
    '[\ud83d\ude00-\ud83d\ude10]',
    '$^',
    '^a|$',
    '[^\\n]',
    '[\\w-]',
  ])(
    '[FORM-1] and does not in what %s matches: line ends, blanks, letters, halves of pairs',
    (pattern) => {
      const native = new RegExp(pattern, 'u');
      for (const text of [...TEXTS, ...SURROGATES]) {
        expect(matches(pattern, text), JSON.stringify(text)).toBe(native.test(text));
      }
    },
  );
});

describe('time', () => {
  it.each([
    '^(a+)+$',
    '^(a|a)*$',
    '^(a|aa)+$',
    '(.*)*x',
    '^(([a-z])+.)+[A-Z]$',
    '(a*)*(a*)*(a*)*b',
  ])('[FORM-1] %s takes a bounded number of steps over 10,000 characters', (pattern) => {
    const parsed = parsePattern(pattern);
    const program = parsed.ok ? toProgram(parsed.node, LIMITS.patternStates) : undefined;
    if (program === undefined) throw new Error('The pattern did not compile');
    const result = runProgram(program, `${'a'.repeat(10_000)}!`);
    expect(result.matched).toBe(false);
    expect(result.steps).toBeLessThanOrEqual(program.length * 10_002);
    expect(runProgram(program, `${'a'.repeat(10_000)}!`, 1_000).steps).toBe(1_001);
  });
});

describe('laws', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '-',
    'é',
    '😀',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\D',
    '\\.',
    '\\u0061',
    '\\u{1f600}',
    '[ab]',
    '[^a]',
    '[a-c0]',
    '[\\d-]',
    '[^\\w]',
    '[]',
    '[^]',
    '(?:)',
    '()',
  );
  const quantifier = fc.constantFrom(
    '',
    '',
    '*',
    '+',
    '?',
    '{2}',
    '{1,}',
    '{0,2}',
    '*?',
    '+?',
    '{0}',
  );
  const { pattern } = fc.letrec<{ pattern: string; part: string; group: string }>((tie) => ({
    group: fc
      .tuple(fc.constantFrom('(', '(?:'), tie('pattern'))
      .map(([open, inside]) => `${open}${inside})`),
    part: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.tuple(atom, quantifier).map((both) => both.join('')),
      fc.constantFrom('^', '$'),
      fc.tuple(tie('group'), quantifier).map((both) => both.join('')),
    ),
    pattern: fc
      .array(fc.array(tie('part'), { maxLength: 3 }), { minLength: 1, maxLength: 3 })
      .map((options) => options.map((parts) => parts.join('')).join('|')),
  }));
  // Short texts: it is the engine of the language that needs minutes for some of these patterns.
  const text = fc.string({ unit: fc.constantFrom(...'aab01-. c', 'é', '😀', '\n'), maxLength: 6 });

  it('agrees with the engine of the language', () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const compiled = compilePattern(source);
        fc.pre(compiled.ok);
        const native = new RegExp(source, 'u');
        for (const each of texts) expect(compiled.matches(each)).toBe(native.test(each));
      }),
      { numRuns: countFor({ quick: 100, long: 1_000 }) },
    );
  });

  it('gives a matcher or a sentence for any text, and takes nothing the language refuses', () => {
    const noise = fc.string({
      unit: fc.constantFrom(...'ab01(){}[]|*+?^$.\\-,:=!<>dwsux'),
      maxLength: 10,
    });
    fc.assert(
      fc.property(noise, (source) => {
        const compiled = compilePattern(source);
        // Outside a class the flag `u` refuses a mark that is escaped without need.
        const isStricter = /\\[-,:=!<>]/.test(source);
        expect(compiled.ok ? isStricter || isNative(source) : compiled.problem !== '').toBe(true);
      }),
      { numRuns: countFor({ quick: 500, long: 2_000 }) },
    );
  });
});

function isNative(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    return false;
  }
}
