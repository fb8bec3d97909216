/** A bug here would be a digest that depends on an earlier input. */
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sha256Hex } from '../../../src/core/digest.ts';

const expected = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

it.each([0, 1, 55, 56, 63, 64, 65, 2_730, 2_731, 8_192, 8_193, 100_000])(
  'hashes %i characters of one, two and three bytes like everybody',
  (length) => {
    for (const char of ['a', '\u00e9', '\u20ac']) {
      expect(sha256Hex(char.repeat(length))).toBe(expected(char.repeat(length)));
    }
  },
);

it('hashes any texts one after the other', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  fc.assert(
    fc.property(text, (one) => {
      expect(sha256Hex(one)).toBe(expected(one));
    }),
  );
});
