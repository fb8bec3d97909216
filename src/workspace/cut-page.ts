/** One page of a list: its size, and the cursor of the next page. */
import { type CursorPosition, writeCursor } from '../protocol/schema/cursor.ts';
import { LIMITS } from '../protocol/limits.ts';

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
