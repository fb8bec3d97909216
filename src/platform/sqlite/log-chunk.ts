/**
 * Joins stored rows of the log into one run of event text.
 *
 * Stored text goes out as it is; only a row that is cut by the cursor or by the end of a page is
 * parsed, and there is at most one of each. Ten thousand events replay without being parsed here.
 */
import type { LogChunk } from '../../session/ports.ts';

export interface LogRow {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly events: string;
}

interface Fit {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** `rows` are those that end after the cursor, in order. */
export function chunkOf(rows: readonly LogRow[], after: number, fit: Fit): LogChunk | undefined {
  const parts: string[] = [];
  let count = 0;
  let size = 0;
  let lastSeq = after;
  for (const row of rows) {
    const room = fit.maxEvents - count;
    if (room <= 0) break;
    const first = Math.max(row.first_seq, after + 1);
    const last = Math.min(row.last_seq, first + room - 1);
    const json = textBetween(row, first, last);
    if (count > 0 && size + json.length > fit.maxBytes) break;
    parts.push(json);
    size += json.length + 1;
    count += last - first + 1;
    lastSeq = last;
  }
  return count === 0 ? undefined : { json: parts.join(','), count, lastSeq };
}

function textBetween(row: LogRow, first: number, last: number): string {
  if (first === row.first_seq && last === row.last_seq) return row.events.slice(1, -1);
  const events = JSON.parse(row.events) as unknown[];
  return JSON.stringify(events.slice(first - row.first_seq, last - row.first_seq + 1)).slice(1, -1);
}
