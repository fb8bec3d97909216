/**
 * Where a page ends, as opaque text: base64url of a JSON array that starts with the name of its list.
 *
 * A cursor comes back from outside, so it is read like any input. Only the exact text that would be
 * written for what it says is taken: a cursor of another list or another spelling is refused instead
 * of quietly starting the list somewhere else.
 */
import * as z from 'zod';
import { type Rejection, reject } from '../errors.ts';
import { decodeBase64Url, encodeBase64Url } from '../base64url.ts';
import { decodeUtf8 } from '../json.ts';

export type CursorPosition = readonly [list: string, ...(string | number)[]];

/** The longest position there is, two names of 128 characters and a time, takes about 400. */
const MAX_CURSOR_CHARS = 512;

export const Cursor = z.string().max(MAX_CURSOR_CHARS);

export function writeCursor(position: CursorPosition): string {
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(position)));
}

/** Undefined stands for the beginning of the list. */
export function readCursor<Known extends CursorPosition>(
  schema: z.ZodType<Known>,
  cursor: string | undefined,
): { readonly ok: true; readonly value: Known | undefined } | Rejection {
  if (cursor === undefined) return { ok: true, value: undefined };
  const position = schema.safeParse(decoded(cursor));
  return position.success && writeCursor(position.data) === cursor
    ? { ok: true, value: position.data }
    : reject('invalid_request', 'This cursor is not one that was given out by this list');
}

function decoded(cursor: string): unknown {
  const bytes = cursor.length > MAX_CURSOR_CHARS ? undefined : decodeBase64Url(cursor);
  const text = bytes === undefined ? undefined : decodeUtf8(bytes);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
