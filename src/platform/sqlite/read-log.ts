/**
 * A run of the log, as much as fits into a frame or a page.
 *
 * Rows are joined where they are stored: making an object of each took four times as long in a replay.
 * What cannot be joined whole is read row by row: large events, the end of a page, and a cursor
 * inside of a row.
 */
import { viewStart } from '../../core/tools/agent-settings.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import type { LogChunk } from '../../session/ports.ts';
import type { Database } from './database.ts';
import { chunkOf, type LogFit, type LogRow } from './log-chunk.ts';

/** As many rows of one event each fill a frame of 500 in ten reads, and of ten each in one. */
const JOINED_ROWS = 50;
/** The platform refuses a text of two megabytes, also one that it made itself. */
const MAX_JOINED_BYTES = 1024 * 1024;
/** A frame of small events takes a few reads. */
const ROWS_AT_ONCE = 64;

/** As it may be shown: the text in which it is stored, but for what no reader may see. */
export function readLog(database: Database, after: number, fit: LogFit): LogChunk | undefined {
  const chunk = storedLog(database, after, fit);
  return chunk === undefined || after > 0 ? chunk : { ...chunk, json: shownFrom(database, chunk) };
}

/** Only the event with which the session began can hold it, and only one of before such events were written without. */
function shownFrom(database: Database, { json }: LogChunk): string {
  const [row] = database.all<{ events: string }>(
    'SELECT events FROM log ORDER BY last_seq LIMIT 1',
  );
  const [started] = eventsIn(row?.events ?? '');
  const shown = started && viewStart(started);
  if (shown === undefined) return json;
  return [shown, ...eventsIn(json).slice(1)].map((event) => JSON.stringify(event)).join(',');
}

function eventsIn(json: string): SessionEvent[] {
  return JSON.parse(`[${json}]`) as SessionEvent[];
}

function storedLog(database: Database, after: number, fit: LogFit): LogChunk | undefined {
  return joinedRows(database, after, fit) ?? chunkOf(rowsAfter(database, after, fit), after, fit);
}

interface Extent {
  readonly first_seq: number;
  readonly last_seq: number;
  /** With a comma for each. */
  readonly bytes: number;
}

function joinedRows(database: Database, after: number, fit: LogFit): LogChunk | undefined {
  const maxBytes = Math.min(fit.maxBytes, MAX_JOINED_BYTES);
  const parts: string[] = [];
  let lastSeq = after;
  let size = 0;
  while (lastSeq - after + JOINED_ROWS <= fit.maxEvents) {
    const extent = extentAfter(database, lastSeq);
    if (extent === undefined) break;
    const { first_seq, last_seq, bytes } = extent;
    const fits = size + bytes - 1 <= maxBytes && last_seq - after <= fit.maxEvents;
    if (!fits || first_seq !== lastSeq + 1) break;
    // An aggregate without more ado takes the rows in the order of the key by which it finds them.
    const [joined] = database.all<{ events: string }>(
      'SELECT group_concat(events) AS events FROM log WHERE last_seq > ? AND last_seq <= ?',
      lastSeq,
      last_seq,
    );
    if (joined === undefined) break;
    parts.push(joined.events);
    size += bytes;
    lastSeq = last_seq;
  }
  const count = lastSeq - after;
  return count === 0 ? undefined : { json: parts.join(','), count, lastSeq };
}

/** Of the next rows. */
function extentAfter(database: Database, after: number): Extent | undefined {
  const [extent] = database.all<Extent | { last_seq: null }>(
    `SELECT min(first_seq) AS first_seq, max(last_seq) AS last_seq, sum(octet_length(events) + 1) AS bytes
     FROM (SELECT first_seq, last_seq, events FROM log
           WHERE last_seq > ? ORDER BY last_seq LIMIT ?)`,
    after,
    JOINED_ROWS,
  );
  return extent === undefined || extent.last_seq === null ? undefined : extent;
}

/**
 * One row may be as large as a body, and most of what is read beyond the end of a frame would be read
 * again for the next one: so their sizes are asked for first, for which SQLite reads no text.
 */
function rowsAfter(database: Database, after: number, fit: LogFit): LogRow[] {
  const rows: LogRow[] = [];
  // Of all but the first, which the cursor may cut.
  let size = 0;
  while (rows.length < fit.maxEvents && size <= fit.maxBytes) {
    const from = rows.at(-1)?.last_seq ?? after;
    const limit = Math.min(ROWS_AT_ONCE, fit.maxEvents - rows.length);
    let wanted = 0;
    for (const { bytes } of sizesAfter(database, from, limit)) {
      if (size > fit.maxBytes) break;
      if (rows.length + wanted > 0) size += bytes;
      wanted += 1;
    }
    if (wanted > 0) {
      const read = database.all<LogRow>(
        'SELECT first_seq, last_seq, events FROM log WHERE last_seq > ? ORDER BY last_seq LIMIT ?',
        from,
        wanted,
      );
      rows.push(...read);
    }
    if (wanted < limit) break;
  }
  return rows;
}

function sizesAfter(database: Database, after: number, limit: number): { bytes: number }[] {
  return database.all<{ bytes: number }>(
    'SELECT octet_length(events) AS bytes FROM log WHERE last_seq > ? ORDER BY last_seq LIMIT ?',
    after,
    limit,
  );
}
