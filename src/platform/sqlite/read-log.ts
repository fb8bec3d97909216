/**
 * Reads a stretch of the log, as much as fits into a frame or a page.
 *
 * SQLite joins the rows: making an object of each row took four times as long in a replay. How much they are is asked before,
 * once for the stretch, for which SQLite reads no text. Rows that cannot be joined whole are read one by one: large events,
 * the end of a page, and a row that contains the cursor.
 */
import { viewStartEvent } from '../../core/tools/agent-settings.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import type { LogChunk } from '../../session/ports.ts';
import type { Database } from './database.ts';
import { countBytes } from '../../protocol/bytes.ts';

/** A page of fewer events is read row by row. */
const JOINED_EVENTS = 50;
/** A stretch is asked for its size at most so often, each time for less of it. */
const MAX_TRIES = 4;
/** SQLite joins a text of this size in half the time that it takes for one of a whole frame. */
const JOINED_PIECE_BYTES = 64 * 1024;
/** The platform refuses a text of two megabytes, also as the result of a function. */
const MAX_JOINED_BYTES = 1024 * 1024;
/** A frame of small events takes a few reads. */
const LOG_ROWS_AT_ONCE = 64;

/** Returns the stored text, without what no reader may see. */
export function readLog(database: Database, after: number, fit: LogFit): LogChunk | undefined {
  const chunk = storedLog(database, after, fit);
  return chunk === undefined || after > 0 ? chunk : { ...chunk, json: shownFrom(database, chunk) };
}

/** Returns the stored text, for the session itself. */
export function readLogBefore(
  database: Database,
  before: number,
  fit: LogFit,
): LogChunk | undefined {
  const sizes = database.all<{ bytes: number }>(
    `SELECT octet_length(events) AS bytes FROM log
     WHERE first_seq < ? ORDER BY last_seq DESC LIMIT ?`,
    before,
    fit.maxEvents,
  );
  // The size of all rows but the first, which the cursor may cut. The row in which the page begins is read too.
  let size = 0;
  const end = sizes.findIndex(({ bytes }, index) => {
    if (index > 0) size += bytes + 1;
    return size > fit.maxBytes;
  });
  const rows = database.all<LogRow>(
    `SELECT first_seq, last_seq, events FROM log
     WHERE first_seq < ? ORDER BY last_seq DESC LIMIT ?`,
    before,
    end < 0 ? sizes.length : end + 1,
  );
  return chunkBefore(rows, before, fit);
}

/** Only the first event of a session can hold hidden fields, and only if an older version wrote it. */
function shownFrom(database: Database, { json }: LogChunk): string {
  const [row] = database.all<{ events: string }>(
    'SELECT events FROM log ORDER BY last_seq LIMIT 1',
  );
  const [started] = eventsIn(row?.events ?? '');
  const shown = started && viewStartEvent(started);
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
  /** Including a comma for each row. */
  readonly bytes: number;
}

/** Whole rows, from the one that begins after the cursor. Undefined where they leave much of the page empty. */
function joinedRows(database: Database, after: number, fit: LogFit): LogChunk | undefined {
  if (fit.maxEvents < JOINED_EVENTS) return undefined;
  const maxBytes = Math.min(fit.maxBytes, MAX_JOINED_BYTES);
  let width = fit.maxEvents;
  for (let tries = 0; tries < MAX_TRIES && width >= 1; tries += 1) {
    const extent = extentBetween(database, after, after + width);
    if (extent === undefined || extent.first_seq !== after + 1) return undefined;
    if (extent.bytes - 1 <= maxBytes) {
      const isFull =
        extent.last_seq - after > fit.maxEvents - JOINED_EVENTS || extent.bytes > maxBytes / 2;
      const isUseful = isFull || !hasRowAfter(database, extent.last_seq);
      return isUseful ? joinBetween(database, after, extent) : undefined;
    }
    width = Math.min(width - 1, Math.floor((width * maxBytes) / extent.bytes));
  }
  return undefined;
}

/** Of the rows that end there. */
function extentBetween(database: Database, after: number, upTo: number): Extent | undefined {
  const [extent] = database.all<Extent | { last_seq: null }>(
    `SELECT min(first_seq) AS first_seq, max(last_seq) AS last_seq, sum(octet_length(events) + 1) AS bytes
     FROM log WHERE last_seq > ? AND last_seq <= ?`,
    after,
    upTo,
  );
  return extent === undefined || extent.last_seq === null ? undefined : extent;
}

function hasRowAfter(database: Database, seq: number): boolean {
  return database.all('SELECT 1 FROM log WHERE last_seq > ? LIMIT 1', seq).length > 0;
}

function joinBetween(database: Database, after: number, { last_seq, bytes }: Extent): LogChunk {
  const parts: string[] = [];
  const count = last_seq - after;
  const step = Math.ceil(count / Math.ceil(bytes / JOINED_PIECE_BYTES));
  for (let from = after; from < last_seq; from += step) {
    // Without ORDER BY the aggregate takes the rows in the order of the key by which it finds them.
    const [joined] = database.all<{ events: string | null }>(
      'SELECT group_concat(events) AS events FROM log WHERE last_seq > ? AND last_seq <= ?',
      from,
      Math.min(from + step, last_seq),
    );
    const events = joined?.events ?? null;
    if (events !== null) parts.push(events);
  }
  return { json: parts.join(','), count, lastSeq: last_seq };
}

/**
 * Reads the sizes of the rows first, for which SQLite reads no text. One row may be as large as a request body, and rows
 * beyond the end of a frame would be read again for the next frame.
 */
function rowsAfter(database: Database, after: number, fit: LogFit): LogRow[] {
  const rows: LogRow[] = [];
  // The size of all rows but the first, which the cursor may cut.
  let size = 0;
  while (rows.length < fit.maxEvents && size <= fit.maxBytes) {
    const from = rows.at(-1)?.last_seq ?? after;
    const limit = Math.min(LOG_ROWS_AT_ONCE, fit.maxEvents - rows.length);
    let rowCount = 0;
    for (const { bytes } of sizesAfter(database, from, limit)) {
      if (size > fit.maxBytes) break;
      if (rows.length + rowCount > 0) size += bytes;
      rowCount += 1;
    }
    if (rowCount > 0) {
      const read = database.all<LogRow>(
        'SELECT first_seq, last_seq, events FROM log WHERE last_seq > ? ORDER BY last_seq LIMIT ?',
        from,
        rowCount,
      );
      rows.push(...read);
    }
    if (rowCount < limit) break;
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

interface LogRow {
  readonly first_seq: number;
  readonly last_seq: number;
  /** The members of a JSON array, without its brackets. */
  readonly events: string;
}

export interface LogFit {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/**
 * Joins the rows that end after the cursor, in order, into the text of consecutive events.
 *
 * Stored text is sent unchanged. Only a row that the cursor or the end of a page cuts is parsed: at most two rows, also in
 * a replay of ten thousand events.
 */
function chunkOf(rows: readonly LogRow[], after: number, fit: LogFit): LogChunk | undefined {
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

/** `rows` are the rows that begin before the cursor, the last one first. */
function chunkBefore(rows: readonly LogRow[], before: number, fit: LogFit): LogChunk | undefined {
  const parts: string[] = [];
  let size = -1;
  let isFull = false;
  for (const row of rows) {
    const events = JSON.parse(`[${row.events}]`) as unknown[];
    for (const event of events.slice(0, before - row.first_seq).toReversed()) {
      const json = JSON.stringify(event);
      size += countBytes(json) + 1;
      isFull = parts.length >= fit.maxEvents || (parts.length > 0 && size > fit.maxBytes);
      if (isFull) break;
      parts.push(json);
    }
    if (isFull) break;
  }
  const lastSeq = Math.min(before - 1, rows[0]?.last_seq ?? 0);
  if (parts.length === 0) return undefined;
  return { json: parts.toReversed().join(','), count: parts.length, lastSeq };
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
