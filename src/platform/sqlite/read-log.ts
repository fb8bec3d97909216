/**
 * A run of the log, as much as fits into a frame or a page.
 *
 * Rows are joined where they are stored: making an object of each took four times as long in a replay.
 * What cannot be joined whole is read row by row: large events, the end of a page, and a cursor
 * inside of a row.
 */
import type { LogChunk } from '../../session/ports.ts';
import type { Database } from './database.ts';
import { chunkOf, type LogFit, type LogRow } from './log-chunk.ts';

/** As many rows of one event each fill a frame of 500 in ten reads, and of ten each in one. */
const JOINED_ROWS = 50;
/** A frame of small events takes a few reads; of large ones, no read brings more than some megabytes. */
const ROWS_AT_ONCE = 64;

export function readLog(database: Database, after: number, fit: LogFit): LogChunk | undefined {
  return joinedRows(database, after, fit) ?? chunkOf(rowsAfter(database, after, fit), after, fit);
}

interface Joined {
  readonly first_seq: number;
  readonly last_seq: number;
  /** Null when it is too much. */
  readonly events: string | null;
}

function joinedRows(database: Database, after: number, fit: LogFit): LogChunk | undefined {
  const parts: string[] = [];
  let lastSeq = after;
  let size = 0;
  while (lastSeq - after + JOINED_ROWS <= fit.maxEvents) {
    // An aggregate takes the rows of a limited subquery in the order in which that gives them.
    const [joined] = database.all<Joined | { last_seq: null }>(
      `SELECT min(first_seq) AS first_seq, max(last_seq) AS last_seq,
         CASE WHEN sum(octet_length(events)) <= ? THEN group_concat(events) END AS events
       FROM (SELECT first_seq, last_seq, events FROM log
             WHERE last_seq > ? ORDER BY last_seq LIMIT ?)`,
      fit.maxBytes - size,
      lastSeq,
      JOINED_ROWS,
    );
    if (joined === undefined || joined.last_seq === null || joined.events === null) break;
    const isWhole = joined.first_seq === lastSeq + 1;
    if (!isWhole || joined.last_seq - after > fit.maxEvents) break;
    parts.push(joined.events);
    size += joined.events.length + 1;
    lastSeq = joined.last_seq;
  }
  const count = lastSeq - after;
  return count === 0 ? undefined : { json: parts.join(','), count, lastSeq };
}

function rowsAfter(database: Database, after: number, fit: LogFit): LogRow[] {
  const rows: LogRow[] = [];
  let size = 0;
  while (rows.length < fit.maxEvents && size <= fit.maxBytes) {
    const limit = Math.min(ROWS_AT_ONCE, fit.maxEvents - rows.length);
    const read = database.all<LogRow>(
      'SELECT first_seq, last_seq, events FROM log WHERE last_seq > ? ORDER BY last_seq LIMIT ?',
      rows.at(-1)?.last_seq ?? after,
      limit,
    );
    rows.push(...read);
    size += read.reduce((sum, row) => sum + row.events.length, 0);
    if (read.length < limit) break;
  }
  return rows;
}
