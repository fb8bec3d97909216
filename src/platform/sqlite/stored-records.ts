/**
 * Reads records from the places that storage has of them.
 *
 * A record is the fold of the events about it; the fold is that of every reader (`protocol/interaction-record.ts`). When an
 * agent received the outcome is no event: it stands in the row of a settled record, and is laid over the fold.
 */
import { countBytes } from '../../protocol/bytes.ts';
import { interactionId as idOf, parseInteractionId } from '../../protocol/ids.ts';
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

export interface InteractionRow {
  readonly tool_call_id: string;
  readonly step: number;
  readonly places: string;
  readonly before_call: string | null;
  readonly before_step: number | null;
  readonly delivered_at: number | null;
  readonly shown_at: number | null;
  readonly acknowledged_at: number | null;
}

const COLUMNS = `tool_call_id, step, places, before_call, before_step, delivered_at, shown_at,
  acknowledged_at`;

export class StoredRecords {
  readonly #rows: TableRows;
  readonly #meta: MetaRows;

  constructor(rows: TableRows, meta: MetaRows) {
    this.#rows = rows;
    this.#meta = meta;
  }

  row(toolCallId: string, step: number): InteractionRow | undefined {
    const [row] = this.#rows.all<InteractionRow>(
      `SELECT ${COLUMNS} FROM interaction WHERE tool_call_id = ? AND step = ?`,
      toolCallId,
      step,
    );
    return row;
  }

  /** The settled record of the highest step. */
  latestRow(toolCallId: string): InteractionRow | undefined {
    const [row] = this.#rows.all<InteractionRow>(
      `SELECT ${COLUMNS} FROM interaction WHERE tool_call_id = ? ORDER BY step DESC LIMIT 1`,
      toolCallId,
    );
    return row;
  }

  /** Each record is folded before the next row is: a thousand of 250 KB need more memory than an object has. */
  settled(
    { maxRecords, maxBytes }: { readonly maxRecords: number; readonly maxBytes: number },
    last: string | undefined,
    before?: { readonly interactionId: string },
  ): SettledPage {
    const from = before === undefined ? last : this.#settledBefore(before);
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

  recordOf(row: InteractionRow, log?: LogEvents): Interaction {
    const record = this.fold(JSON.parse(row.places) as Places, log);
    const { delivered_at: deliveredAt, shown_at: shownAt, acknowledged_at: acknowledgedAt } = row;
    return {
      ...record,
      ...(deliveredAt !== null && { deliveredAt }),
      ...(shownAt !== null && { shownAt }),
      ...(acknowledgedAt !== null && { acknowledgedAt }),
    };
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

  #settledBefore({ interactionId }: { readonly interactionId: string }): string | undefined {
    const { toolCallId, step } = keyOf(interactionId);
    const row = this.row(toolCallId, step);
    if (row === undefined || row.before_call === null) return undefined;
    return idOf(row.before_call, row.before_step ?? 0);
  }

  #newestFirst(from: string, limit: number): InteractionRow[] {
    const { toolCallId, step } = keyOf(from);
    const columns = COLUMNS.replaceAll(/\w+/g, 'earlier.$&');
    return this.#rows.all<InteractionRow>(
      `WITH RECURSIVE newest(${COLUMNS}) AS (
         SELECT ${COLUMNS} FROM interaction WHERE tool_call_id = ? AND step = ?
         UNION ALL
         SELECT ${columns} FROM newest JOIN interaction AS earlier
           ON earlier.tool_call_id = newest.before_call AND earlier.step = newest.before_step
         LIMIT ?
       ) SELECT ${COLUMNS} FROM newest`,
      toolCallId,
      step,
      limit,
    );
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

export function keyOf(interactionId: string): { toolCallId: string; step: number } {
  const key = parseInteractionId(interactionId);
  if (key === undefined) throw new Error(`Not an interaction id: ${interactionId}`);
  return key;
}
