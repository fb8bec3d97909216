/**
 * Characters that hide or reorder others are escaped.
 *
 * A bug here looks like a command that reads as harmless and is not.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeInvisible, visibleParts, visibleText } from '../../src/protocol/escapes.ts';

describe('[UI-11] literal text', () => {
  it.each([
    ['a right-to-left override', 'a\u202Eb', String.raw`a\u202Eb`],
    ['an isolate', '\u2066x\u2069', String.raw`\u2066x\u2069`],
    ['a zero-width space', 'rm\u200B', String.raw`rm\u200B`],
    ['a joiner', 'a\u200Db', String.raw`a\u200Db`],
    ['a soft hyphen', 'a\u00ADb', String.raw`a\u00ADb`],
    ['a byte order mark', '\uFEFFx', String.raw`\uFEFFx`],
    ['NUL and escape', '\u0000\u001B[2K', String.raw`\u0000\u001B[2K`],
    ['a carriage return', 'a\rb', String.raw`a\rb`],
    ['a line separator', 'a\u2028b', String.raw`a\u2028b`],
    ['a tag character', 'a\u{E0041}', String.raw`a\u{E0041}`],
    ['private use', '\uE000', String.raw`\uE000`],
    ['half of a character', '\uD800x', String.raw`\uD800x`],
    ['a space that is none', 'a\u00A0b\u2003c', String.raw`a\u00A0b\u2003c`],
    ['a filler that is a letter', '\u3164', String.raw`\u3164`],
    ['a variation selector', 'a\uFE00', String.raw`a\uFE00`],
    [
      'the fifth mark on a letter',
      'a\u0301\u0302\u0303\u0304\u0305b',
      'a\u0301\u0302\u0303\u0304\\u0305b',
    ],
    ['marks around a letter', `a${'\u20DD'.repeat(6)}`, `a${'\u20DD'.repeat(4)}\\u20DD\\u20DD`],
  ])('escapes %s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it.each(['plain', 'a\n\tb', 'héllo wörld', '日本語', 'שלום', 'emoji 🎉', 'a\u0301'])(
    'leaves %j as it is',
    (text) => {
      expect(visibleParts(text)).toEqual([{ text, isEscape: false }]);
    },
  );

  it('loses nothing and leaves nothing invisible', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = visibleParts(text);
        expect(parts.map((part) => part.text).join('')).toBe(visibleText(text));
        for (const part of parts.filter(({ isEscape }) => !isEscape)) {
          expect(part.text).not.toMatch(/[\p{Cf}\p{Co}\p{Cs}\u2028\u2029]|(?![\n\t])\p{Cc}/u);
        }
      }),
    );
  });
});

describe('[UI-11] prose', () => {
  it('escapes characters that reorder or hide, and keeps those in words and emoji', () => {
    expect(escapeInvisible('a\u202Eb\u{E0041}\u0000')).toBe(String.raw`a\u202Eb\u{E0041}\u0000`);
    const family = '👩\u200D👧 Aus\u00ADflug\u00A0nach Gent\r\n';
    expect(escapeInvisible(family)).toBe(family);
    // A syllable of Burmese and a stack of Tibetan, of six marks each.
    for (const syllable of [
      '\u1019\u103C\u103D\u103E\u102F\u1036\u1037',
      '\u0F67\u0F90\u0FB5\u0FA8\u0FB3\u0FBA\u0F82',
    ])
      expect(escapeInvisible(syllable)).toBe(syllable);
    expect(escapeInvisible(`a${'\u0301'.repeat(10)}`)).toBe(`a${'\u0301'.repeat(8)}\\u0301\\u0301`);
  });
});
