/**
 * Where a page ends, as opaque text: base64url of a JSON array that starts with the name of its list.
 *
 * A cursor comes back from outside, so it is read like any input. Only the exact text that would be
 * written for what it says is taken: a cursor of another list or another spelling is refused instead
 * of quietly starting the list somewhere else.
 */
import type * as z from 'zod';
import { reject } from '../protocol/error.ts';
import { decodeUtf8 } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Read } from './ports.ts';

type Place = readonly [list: string, ...(string | number)[]];

/** The longest place there is, two names of 128 characters and a time, takes about 400. */
const MAX_CURSOR_CHARS = 512;

export function writeCursor(place: Place): string {
  const bytes = new TextEncoder().encode(JSON.stringify(place));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined stands for the beginning of the list. */
export function readCursor<Known extends Place>(
  schema: z.ZodType<Known>,
  cursor: string | undefined,
): Read<Known | undefined> {
  if (cursor === undefined) return { ok: true, value: undefined };
  const place = schema.safeParse(decoded(cursor));
  return place.success && writeCursor(place.data) === cursor
    ? { ok: true, value: place.data }
    : reject('invalid_request', 'This cursor is not one that was given out by this list');
}

function decoded(cursor: string): unknown {
  if (cursor.length > MAX_CURSOR_CHARS) return undefined;
  try {
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(decodeUtf8(Uint8Array.from(binary, (char) => char.charCodeAt(0))) ?? '');
  } catch {
    return undefined;
  }
}

/** Whole, at least one, at most what a page may hold, whatever was asked for. */
export function pageSize(limit: number = LIMITS.pageDefault): number {
  return Math.min(Math.max(Math.trunc(limit) || 1, 1), LIMITS.pageMax);
}

/** Ask the store for one more than the page holds; that one tells whether there is a next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  size: number,
  placeOf: (last: Row) => Place,
): { rows: readonly Row[]; next?: string } {
  const last = rows[size - 1];
  if (rows.length <= size || last === undefined) return { rows };
  return { rows: rows.slice(0, size), next: writeCursor(placeOf(last)) };
}
