/** One page of a list: how long it is, and where the next one begins. */
import { type CursorPosition, writeCursor } from '../protocol/schema/cursor.ts';
import { LIMITS } from '../protocol/limits.ts';

/** Whole, at least one, at most what a page may hold, whatever was asked for. */
export function pageSize(limit: number = LIMITS.pageDefault): number {
  return Math.min(Math.max(Math.trunc(limit) || 1, 1), LIMITS.pageMax);
}

/** Ask the store for one more than the page holds; that one tells whether there is a next page. */
export function cutPage<Row>(
  rows: readonly Row[],
  size: number,
  placeOf: (last: Row) => CursorPosition,
): { rows: readonly Row[]; next?: string } {
  const last = rows[size - 1];
  if (rows.length <= size || last === undefined) return { rows };
  return { rows: rows.slice(0, size), next: writeCursor(placeOf(last)) };
}
