/**
 * Where a page ends, as opaque text: base64url of a JSON array that starts with the name of its list.
 *
 * A cursor comes back from outside, so it is read like any input. Only the exact text that would be
 * written for what it says is taken: a cursor of another list or another spelling is refused instead
 * of quietly starting the list somewhere else.
 */
import * as z from 'zod';
import { type Rejection, reject } from '../errors.ts';
import { decodeUtf8 } from '../json.ts';

export type Place = readonly [list: string, ...(string | number)[]];

/** The longest place there is, two names of 128 characters and a time, takes about 400. */
const MAX_CURSOR_CHARS = 512;

export const Cursor = z.string().max(MAX_CURSOR_CHARS);

export function writeCursor(place: Place): string {
  const bytes = new TextEncoder().encode(JSON.stringify(place));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** Undefined stands for the beginning of the list. */
export function readCursor<Known extends Place>(
  schema: z.ZodType<Known>,
  cursor: string | undefined,
): { readonly ok: true; readonly value: Known | undefined } | Rejection {
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
