/**
 * Reads records from the places that storage has of them.
 *
 * A record is the fold of the events about it; the fold is that of every reader (`protocol/interaction-record.ts`). When an
 * agent received the outcome is no event: it stands in the row of a settled record, and is laid over the fold.
 */
import { countBytes } from '../../protocol/bytes.ts';
import { parseInteractionId } from '../../protocol/ids.ts';
import { foldRecord, isRecordEvent } from '../../protocol/interaction-record.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type { SettledPage } from '../../session/ports.ts';
import type { TableRows } from './database.ts';
import type { MetaRows } from './meta-rows.ts';

/** In order: the `seq` of events. The first may be the id under which the record up to there is kept as text. */
export type Places = readonly (number | string)[];

/** The rows of `meta` that keep records as text. */
export const KEPT = 'record';

/** The row of a settled interaction. */
export interface SettledRow {
  readonly places: Places;
  /** The name of the row of the interaction that settled before. */
  readonly before?: string | undefined;
  readonly deliveredAt?: number | undefined;
  readonly shownAt?: number | undefined;
  readonly acknowledgedAt?: number | undefined;
  readonly reusedAt?: number | undefined;
}

/** The rows of `meta` with settled interactions. */
export const SETTLED_ROWS = 'settled';
/** A step has at most six digits; so many in each name keep the names of a call in the order of its steps. */
const STEP_DIGITS = 6;
const AFTER_DIGITS = String.fromCharCode('9'.charCodeAt(0) + 1);

export class StoredRecords {
  readonly #rows: TableRows;
  readonly #meta: MetaRows;

  constructor(rows: TableRows, meta: MetaRows) {
    this.#rows = rows;
    this.#meta = meta;
  }

  row(interactionId: string): SettledRow | undefined {
    return this.#meta.get<SettledRow>(`${SETTLED_ROWS}/${rowNameOf(interactionId)}`);
  }

  /** The settled record of the highest step. */
  latestRow(toolCallId: string): SettledRow | undefined {
    const first = `${SETTLED_ROWS}/${toolCallId}~`;
    const [row] = this.#rows.all<{ value: string }>(
      'SELECT value FROM meta WHERE key > ? AND key < ? ORDER BY key DESC LIMIT 1',
      first,
      `${first}${AFTER_DIGITS}`,
    );
    return row && (JSON.parse(row.value) as SettledRow);
  }

  /** Each record is folded before the next row is: a thousand of 250 KB need more memory than an object has. */
  settled(
    { maxRecords, maxBytes }: { readonly maxRecords: number; readonly maxBytes: number },
    last: string | undefined,
    before?: { readonly interactionId: string },
  ): SettledPage {
    const from =
      before === undefined ? last && rowNameOf(last) : this.row(before.interactionId)?.before;
    const rows = from === undefined ? [] : this.#newestFirst(from, maxRecords + 1);
    const log = new LogEvents(this.#rows);
    const records: Interaction[] = [];
    let bytes = 0;
    for (const row of rows.slice(0, maxRecords)) {
      const record = this.recordOf(row, log);
      bytes += countBytes(JSON.stringify(record));
      if (records.length > 0 && bytes > maxBytes) break;
      records.push(record);
    }
    return { records, hasMore: rows.length > records.length };
  }

  recordOf({ places, before: _before, ...notes }: SettledRow, log?: LogEvents): Interaction {
    return { ...this.fold(places, log), ...notes };
  }

  fold(places: Places, log = new LogEvents(this.#rows)): Interaction {
    let record: Interaction | undefined;
    for (const place of places) {
      if (typeof place === 'string') {
        record = this.#keptRecord(place);
        continue;
      }
      const event = log.at(place);
      record = event && isRecordEvent(event) ? foldRecord(record, event) : undefined;
      if (record === undefined) throw new Error(`Event ${place} of the log makes no record`);
    }
    if (record === undefined) throw new Error('An interaction has no place in the log');
    return record;
  }

  #newestFirst(from: string, limit: number): SettledRow[] {
    const rows = this.#rows.all<{ value: string }>(
      `WITH RECURSIVE newest(value) AS (
         SELECT value FROM meta WHERE key = '${SETTLED_ROWS}/' || ?
         UNION ALL
         SELECT earlier.value FROM newest JOIN meta AS earlier
           ON earlier.key = '${SETTLED_ROWS}/' || (newest.value ->> '$.before')
         LIMIT ?
       ) SELECT value FROM newest`,
      from,
      limit,
    );
    return rows.map(({ value }) => JSON.parse(value) as SettledRow);
  }

  #keptRecord(id: string): Interaction {
    const kept = this.#meta.get<Interaction>(`${KEPT}/${id}`);
    if (kept !== undefined) return kept;
    const { toolCallId, step } = keyOf(id);
    const [row] = this.#rows.all<{ record: string }>(
      'SELECT record FROM older_interaction WHERE tool_call_id = ? AND step = ?',
      toolCallId,
      step,
    );
    if (row === undefined) throw new Error(`The record of ${id} is gone`);
    return JSON.parse(row.record) as Interaction;
  }
}

/** Single events of the log. A row of several is parsed once for all of them, if they follow one another. */
class LogEvents {
  readonly #rows: TableRows;
  #first = 0;
  #events: readonly SessionEvent[] = [];

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  at(seq: number): SessionEvent | undefined {
    const isHere = seq >= this.#first && seq < this.#first + this.#events.length;
    if (!isHere) this.#read(seq);
    return this.#events[seq - this.#first];
  }

  #read(seq: number): void {
    const [row] = this.#rows.all<{ first_seq: number; events: string }>(
      'SELECT first_seq, events FROM log WHERE last_seq >= ? ORDER BY last_seq LIMIT 1',
      seq,
    );
    this.#first = row?.first_seq ?? 0;
    this.#events = row === undefined ? [] : (JSON.parse(`[${row.events}]`) as SessionEvent[]);
  }
}

/** The name of the row of a settled interaction, within its family. */
export function rowNameOf(interactionId: string): string {
  const { toolCallId, step } = keyOf(interactionId);
  return `${toolCallId}~${String(step).padStart(STEP_DIGITS, '0')}`;
}

export function keyOf(interactionId: string): { toolCallId: string; step: number } {
  const key = parseInteractionId(interactionId);
  if (key === undefined) throw new Error(`Not an interaction id: ${interactionId}`);
  return key;
}
