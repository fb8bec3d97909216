/**
 * Cursors, written and read back.
 *
 * A bug here looks like an exception over a cursor typed by hand, or a page that does not start at the end of
 * the page before.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { readCursor, writeCursor } from '../../src/protocol/schema/cursor.ts';

const Place = z.tuple([z.literal('list'), z.number(), z.string()]);

it('[INT-13] reads back every position it wrote, in letters that fit into a URL', () => {
  fc.assert(
    fc.property(fc.integer(), fc.string({ unit: 'grapheme' }), (at, id) => {
      const cursor = writeCursor(['list', at, id]);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(readCursor(Place, cursor)).toEqual({ ok: true, value: ['list', at, id] });
    }),
  );
});

it('[LIM-4, INT-13] refuses any other text, and throws on none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
      expect(readCursor(Place, text)).toMatchObject({ ok: false, code: 'invalid_request' });
    }),
  );
});

it.each([
  ['nothing', ''],
  ['another list', writeCursor(['others', 1, 'a'])],
  ['another shape', writeCursor(['list', '1', 'a'])],
  ['more than it should', writeCursor(['list', 1, 'a', 'more'])],
  ['less than it should', writeCursor(['list', 1])],
  ['the same in another spelling', btoa('["list", 1, "a"]')],
  ['bytes that are no UTF-8', '__8'],
  ['half of one', writeCursor(['list', 1, 'abc']).slice(0, -3)],
])('[INT-13] refuses %s', (_name, text) => {
  expect(readCursor(Place, text)).toMatchObject({ ok: false, code: 'invalid_request' });
});
