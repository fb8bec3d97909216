/**
 * Pages of a list, and the cursor at the end of each: base64url of a JSON array that starts with the name of its list.
 *
 * A client sends the cursor back, so it is checked like any input. Only the exact text that `writeCursor` makes is accepted:
 * a cursor of another list, or another spelling, is refused instead of starting the list at a wrong position.
 */
import * as z from './zod.ts';
import { type Rejection, reject } from '../errors.ts';
import { decodeBase64Url, encodeBase64Url } from '../base64.ts';
import { decodeUtf8 } from '../json.ts';
import { LIMITS } from '../limits.ts';

type CursorPosition = readonly [list: string, ...(string | number)[]];

/** The longest position, two names of 128 characters and a time, needs about 400. */
const MAX_CURSOR_CHARS = 512;

export const Cursor = z.string().max(MAX_CURSOR_CHARS);

export function writeCursor(position: CursorPosition): string {
  return encodeBase64Url(new TextEncoder().encode(JSON.stringify(position)));
}

/** Undefined is the beginning of the list. */
export function readCursor<Known extends CursorPosition>(
  schema: z.ZodType<Known>,
  cursor: string | undefined,
): { readonly ok: true; readonly value: Known | undefined } | Rejection {
  if (cursor === undefined) return { ok: true, value: undefined };
  const position = schema.safeParse(decodeCursor(cursor));
  return position.success && writeCursor(position.data) === cursor
    ? { ok: true, value: position.data }
    : reject('invalid_request', 'This cursor is not one that was given out by this list');
}

function decodeCursor(cursor: string): unknown {
  const bytes = cursor.length > MAX_CURSOR_CHARS ? undefined : decodeBase64Url(cursor);
  const text = bytes === undefined ? undefined : decodeUtf8(bytes);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A whole number between one and the maximum, for any input. */
export function pageSize(limit: number = LIMITS.pageDefault): number {
  return Math.min(Math.max(Math.trunc(limit) || 1, 1), LIMITS.pageMax);
}

/** Expects one row more than the page holds: the extra row shows that there is a next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  size: number,
  cursorOf: (last: Row) => CursorPosition,
): { rows: readonly Row[]; next?: string } {
  const last = rows[size - 1];
  if (rows.length <= size || last === undefined) return { rows };
  return { rows: rows.slice(0, size), next: writeCursor(cursorOf(last)) };
}
