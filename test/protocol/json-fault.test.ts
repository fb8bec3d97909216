/** Where a text stops being JSON. A bug would look like a person who searches in the wrong line. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonFault } from '../../src/protocol/json-fault.ts';

const sentence = (text: string) => findJsonFault(text).sentence;

describe('the place', () => {
  it.each<[string, number, number, string]>([
    ['{"a":1,}', 1, 8, 'unexpected "}" at line 1, column 8'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, `unexpected '"' at line 3, column 3`],
    ['{\r\n"a": tru}', 2, 9, 'unexpected "}" at line 2, column 9'],
    ['[1, 2', 1, 6, 'it ends too early, at line 1, column 6'],
    ['{"a": "b', 1, 9, 'it ends too early, at line 1, column 9'],
    ['{"a": "b\nc"}', 1, 9, 'unexpected U+000A at line 1, column 9'],
    ['{"a": "\\x"}', 1, 9, 'unexpected "x" at line 1, column 9'],
    ["{'a': 1}", 1, 2, `unexpected "'" at line 1, column 2`],
    ['{a: 1}', 1, 2, 'unexpected "a" at line 1, column 2'],
    ['{"a" 1}', 1, 6, 'unexpected "1" at line 1, column 6'],
    ['[01]', 1, 3, 'unexpected "1" at line 1, column 3'],
    ['[1.]', 1, 4, 'unexpected "]" at line 1, column 4'],
    ['[1.5e+]', 1, 7, 'unexpected "]" at line 1, column 7'],
    ['[-]', 1, 3, 'unexpected "]" at line 1, column 3'],
    ['["\\u12G4"]', 1, 7, 'unexpected "G" at line 1, column 7'],
    ['[1}', 1, 3, 'unexpected "}" at line 1, column 3'],
    ['{} {}', 1, 4, 'unexpected "{" at line 1, column 4'],
    ['[undefined]', 1, 2, 'unexpected "u" at line 1, column 2'],
    ['["😀", 😀]', 1, 7, 'unexpected "😀" at line 1, column 7'],
    ['\ufeff{}', 1, 1, 'unexpected U+FEFF at line 1, column 1'],
    ['[\u00a01]', 1, 2, 'unexpected U+00A0 at line 1, column 2'],
  ])('[LIM-1] of %j is line %i, column %i', (text, line, column, words) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(findJsonFault(text)).toEqual({ line, column, sentence: `Not valid JSON: ${words}` });
  });

  it.each(['', ' \n\t'])('[LIM-1] of %j is nowhere', (text) => {
    expect(sentence(text)).toBe('Not valid JSON: it is empty');
  });
});

describe('laws', () => {
  const ascii = fc
    .json({ maxDepth: 3 })
    .chain((json) =>
      fc
        .tuple(
          fc.nat(json.length),
          fc.constantFrom('"', '{', '}', ']', ',', ':', '1', '.', '\\', 'x', ''),
        )
        .map(([at, odd]) => json.slice(0, at) + odd + json.slice(at + 1)),
    )
    .filter((text) => /^[ -~]*$/.test(text) && text.trim() !== '');

  const refused = (text: string) => {
    try {
      JSON.parse(text);
      return false;
    } catch {
      return true;
    }
  };

  it('[LIM-1] the text before the place can still become JSON, and with the place it cannot', () => {
    fc.assert(
      fc.property(
        ascii,
        fc.string({ unit: fc.constantFrom('"', '}', ']', '1', ' ', ',') }),
        (text, more) => {
          fc.pre(refused(text));
          const at = findJsonFault(text).column - 1;
          const before = text.slice(0, at);
          // Nothing is wrong before the place: either it is JSON, or its end is too early.
          if (before.trim() !== '' && refused(before)) {
            expect(findJsonFault(before).column - 1).toBe(before.length);
          }
          // Whatever follows the place, it stays the place.
          if (at < text.length) {
            expect(findJsonFault(text.slice(0, at + 1) + more).column - 1).toBe(at);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('[LIM-4] is found in any text, of any depth', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void findJsonFault(text)));
    expect(sentence('['.repeat(250_000))).toContain('column 250001');
    expect(sentence(`"${'a'.repeat(250_000)}`)).toContain('column 250002');
  });
});
