/**
 * Joins stored rows of the log into the text of consecutive events.
 *
 * Stored text is sent unchanged. Only a row that is cut by the cursor or by the end of a page is parsed, so at most two
 * rows are. A replay of ten thousand events parses none of the others.
 */
import { countBytes } from '../../protocol/bytes.ts';
import type { LogChunk } from '../../session/ports.ts';

export interface LogRow {
  readonly first_seq: number;
  readonly last_seq: number;
  /** The members of a JSON array, without its brackets. */
  readonly events: string;
}

export interface LogFit {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** `rows` are the rows that end after the cursor, in order. */
export function chunkOf(rows: readonly LogRow[], after: number, fit: LogFit): LogChunk | undefined {
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
    const bytes = countBytes(json);
    const fits = size + bytes <= fit.maxBytes;
    if (!fits && count > 0) break;
    if (!fits && last > first) return firstEvents(json, after, fit);
    parts.push(json);
    size += bytes + 1;
    count += last - first + 1;
    lastSeq = last;
  }
  return count === 0 ? undefined : { json: parts.join(','), count, lastSeq };
}

/** The first events of a row that does not fit as a whole, at least one event. */
function firstEvents(json: string, after: number, fit: LogFit): LogChunk {
  const events = (JSON.parse(`[${json}]`) as unknown[]).map((event) => JSON.stringify(event));
  let count = 0;
  let size = -1;
  for (const event of events) {
    size += countBytes(event) + 1;
    if (count > 0 && size > fit.maxBytes) break;
    count += 1;
  }
  return { json: events.slice(0, count).join(','), count, lastSeq: after + count };
}

function textBetween(row: LogRow, first: number, last: number): string {
  if (first === row.first_seq && last === row.last_seq) return row.events;
  const events = JSON.parse(`[${row.events}]`) as unknown[];
  return JSON.stringify(events.slice(first - row.first_seq, last - row.first_seq + 1)).slice(1, -1);
}
