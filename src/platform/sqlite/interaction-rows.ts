/**
 * The interactions of a session: where their records stand in the log, and what a commit changes of that.
 *
 * The events about an interaction make its record, so storage holds only their places: those of the open interactions in the
 * last log row (`LogTail`), and of a settled one in a row of its own. An opening therefore writes no row beside its events,
 * and each row of a settled one names the one that settled before, which is the order of their list.
 *
 * 1. The places of a record give the record that was committed. A record that the events of its commit do not make, or with
 *    many places, is kept as text, and its places begin with its id.
 * 2. `tail` changes after a commit alone (`adopt`), so a failed commit leaves it as it is stored.
 */
import { bySettledAt, isUnacknowledged } from '../../core/unacknowledged.ts';
import { interactionId as idOf } from '../../protocol/ids.ts';
import { isRecordEvent } from '../../protocol/interaction-record.ts';
import type { SessionEvent } from '../../protocol/schema/event.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import type * as ports from '../../session/ports.ts';
import type { TableRows } from './database.ts';
import type { MetaRows } from './meta-rows.ts';
import {
  KEPT,
  keyOf,
  type Places,
  rowNameOf,
  SETTLED_ROWS,
  type SettledRow,
  StoredRecords,
} from './stored-records.ts';

/** What holds after a row of the log. */
export interface LogTail {
  readonly open: ReadonlyMap<string, Places>;
  /** The interaction that settled last. */
  readonly settled?: string | undefined;
}

export interface StoredTail {
  readonly open?: readonly Places[];
  readonly settled?: string | null;
}

type Write = () => void;

/** What a commit writes beside its log row, and the tail that holds after it. */
export interface RecordChanges {
  readonly tail: LogTail;
  readonly writes: readonly Write[];
  /** The tool calls of what it settles. */
  readonly settledCalls: readonly string[];
}

/** A record with more is kept as text, so that reading one reads few rows. */
const MAX_PLACES = 16;
/** Some hundred kilobytes of ids. */
const MAX_CALLS_IN_MEMORY = 10_000;
const UNACKNOWLEDGED = 'unacknowledged';
const REASSIGNED = 'call';

export class InteractionRows {
  readonly #rows: TableRows;
  readonly #meta: MetaRows;
  readonly #stored: StoredRecords;
  #tail: LogTail = { open: new Map() };
  /**
   * Every tool call with a settled record, so that a new call is not looked up; undefined where memory lacks some, because
   * they settled before the session was read, or are too many.
   */
  #settledCalls: Set<string> | undefined = new Set();
  /** A call that was looked up, and has no record: its opening need not look again. */
  #unasked: string | undefined;
  /** Whether any interaction was ever reassigned to a call; unknown until one is looked for. */
  #hasReassigned: boolean | undefined;

  constructor(rows: TableRows, meta: MetaRows) {
    this.#rows = rows;
    this.#meta = meta;
    this.#stored = new StoredRecords(rows, meta);
  }

  /** Takes the tail of the last log row, and returns the open records. */
  load({ open = [], settled }: StoredTail): Interaction[] {
    const records = open.map((places) => this.#stored.fold(places));
    this.#tail = {
      open: new Map(records.map((record, at) => [record.interactionId, open[at] ?? []])),
      settled: settled ?? undefined,
    };
    this.#settledCalls = this.#tail.settled === undefined ? new Set() : undefined;
    return records;
  }

  adopt({ tail, settledCalls }: RecordChanges): void {
    this.#tail = tail;
    this.#unasked = undefined;
    for (const toolCallId of settledCalls) this.#settledCalls?.add(toolCallId);
    const count = this.#settledCalls?.size ?? 0;
    if (count > MAX_CALLS_IN_MEMORY) this.#settledCalls = undefined;
  }

  /** Throws if a record cannot become what the commit says: it was settled, or was there before. */
  plan({ records, reassigned = [], events, now }: ports.Commit): RecordChanges {
    if (records.length === 0 && reassigned.length === 0) {
      return { tail: this.#tail, writes: [], settledCalls: [] };
    }
    const made = placesIn(events);
    const open = new Map(this.#tail.open);
    let { settled } = this.#tail;
    const writes: Write[] = [];
    const settledCalls: string[] = [];
    for (const record of records) {
      const { interactionId: id } = record;
      if (record.undone !== undefined && record.status === 'settled' && !open.has(id)) {
        writes.push(() => this.#writeUndone(record, made.get(id)));
        continue;
      }
      const before = open.get(id);
      const begins = record.rev === 1 || made.get(id)?.opens === true;
      if (before !== undefined && begins) throw new Error(`Interaction ${id} is open`);
      if (before === undefined && (!begins || this.#isStored(id))) {
        throw new Error(`Interaction ${id} was not open`);
      }
      const places = this.#extend(before ?? [], record, made.get(id), writes);
      if (record.status === 'open') {
        open.set(id, places);
        continue;
      }
      open.delete(id);
      const previous = settled;
      settled = id;
      settledCalls.push(record.toolCallId);
      writes.push(() => this.#insert(record, places, previous));
    }
    for (const { interactionId: id, to } of reassigned) {
      writes.push(() => {
        this.#meta.put(`${REASSIGNED}/${to.toolCallId}`, id);
        this.#hasReassigned = true;
      });
      if (records.some(({ interactionId }) => interactionId === id)) continue;
      writes.push(() => this.#reassignSettled({ interactionId: id, to }, made.get(id), now));
    }
    return { tail: { open, settled }, writes, settledCalls };
  }

  record(toolCallId: string, step: number): Interaction | undefined {
    const id = idOf(toolCallId, step);
    const places = this.#tail.open.get(id);
    if (places !== undefined) return this.#stored.fold(places);
    const row = this.#settledRow(id);
    return row && this.#stored.recordOf(row);
  }

  latestRecord(toolCallId: string): Interaction | undefined {
    const steps = [...this.#tail.open.keys()].filter((id) => id.startsWith(`${toolCallId}~`));
    if (steps.length > 0) {
      return this.record(toolCallId, Math.max(...steps.map((id) => keyOf(id).step)));
    }
    const row = this.#mayHaveSettled(toolCallId) ? this.#stored.latestRow(toolCallId) : undefined;
    if (row !== undefined) return this.#stored.recordOf(row);
    this.#unasked = toolCallId;
    this.#hasReassigned ??= this.#meta.hasFamily(REASSIGNED);
    const id = this.#hasReassigned
      ? this.#meta.get<string>(`${REASSIGNED}/${toolCallId}`)
      : undefined;
    const key = id === undefined ? undefined : keyOf(id);
    return key && this.record(key.toolCallId, key.step);
  }

  unacknowledged(requestDigest: string): Interaction[] {
    const rows = this.#meta.family(`${UNACKNOWLEDGED}/${requestDigest}`);
    const records = rows.flatMap(({ name }) => {
      const { toolCallId, step } = keyOf(name);
      return this.record(toolCallId, step) ?? [];
    });
    return records.sort(bySettledAt);
  }

  forgetUnacknowledged(): void {
    this.#meta.removeFamily(UNACKNOWLEDGED);
  }

  settled(
    fit: { readonly maxRecords: number; readonly maxBytes: number },
    before?: { readonly interactionId: string },
  ): ports.SettledPage {
    return this.#stored.settled(fit, this.#tail.settled, before);
  }

  note(
    field: 'deliveredAt' | 'shownAt' | 'reusedAt',
    { interactionId }: Pick<Interaction, 'interactionId'>,
    at: number,
  ): void {
    this.#rows.run(
      `UPDATE meta SET value = json_set(value, '$.${field}', ?) WHERE key = ?`,
      at,
      rowKey(interactionId),
    );
  }

  acknowledge(record: Pick<Interaction, 'interactionId' | 'requestDigest'>, at: number): void {
    this.#rows.run(
      `UPDATE meta SET value = json_set(
         value, '$.acknowledgedAt', ?, '$.deliveredAt', coalesce(value ->> '$.deliveredAt', ?)
       ) WHERE key = ?`,
      at,
      at,
      rowKey(record.interactionId),
    );
    this.#meta.remove(unacknowledgedKey(record));
  }

  #insert(record: Interaction, places: Places, before: string | undefined): void {
    const { deliveredAt, shownAt } = record;
    const previous = before === undefined ? undefined : rowNameOf(before);
    const row: SettledRow = { places, before: previous, deliveredAt, shownAt };
    // Throws where the row exists: no interaction settles twice.
    this.#rows.run(
      'INSERT INTO meta (key, value) VALUES (?, ?)',
      rowKey(record.interactionId),
      JSON.stringify(row),
    );
    if (isUnacknowledged(record)) this.#meta.put(unacknowledgedKey(record), '');
  }

  /** An agent that has the decision keeps it. */
  #writeUndone(record: Interaction, made: Made | undefined): void {
    const row = this.#settledRow(record.interactionId);
    const stored = row && this.#stored.recordOf(row);
    const { deliveredAt, acknowledgedAt, shownAt, undone } = stored ?? {};
    if (row === undefined || (deliveredAt ?? acknowledgedAt ?? shownAt ?? undone) !== undefined) {
      throw new Error(`The decision on ${record.interactionId} was delivered`);
    }
    this.#writeAgain(row, record, made);
    this.#meta.remove(unacknowledgedKey(record));
  }

  #reassignSettled(
    { interactionId, to }: ports.Reassigned,
    made: Made | undefined,
    now: number,
  ): void {
    const row = this.#settledRow(interactionId);
    const stored = row && this.#stored.recordOf(row);
    if (row === undefined || stored?.acknowledgedAt !== undefined || stored === undefined) {
      throw new Error(`Interaction ${interactionId} was acknowledged`);
    }
    const { deliveredAt = now, rev } = stored;
    this.#writeAgain(row, { ...stored, deliveredAt, reassignedTo: to, rev: rev + 1 }, made);
  }

  /** A settled record that changed once more. */
  #writeAgain(row: SettledRow, record: Interaction, made: Made | undefined): void {
    const writes: Write[] = [];
    const places = this.#extend(row.places, record, made, writes);
    for (const write of writes) write();
    const { deliveredAt } = record;
    this.#meta.put(rowKey(record.interactionId), {
      ...row,
      places,
      deliveredAt,
    } satisfies SettledRow);
  }

  /** The places of a record after a commit. */
  #extend(before: Places, record: Interaction, made: Made | undefined, writes: Write[]): Places {
    const { interactionId: id } = record;
    const begins = before.length > 0 || made?.opens === true;
    if (made !== undefined && begins && before.length + made.places.length <= MAX_PLACES) {
      return [...before, ...made.places];
    }
    writes.push(() => this.#meta.put(`${KEPT}/${id}`, record));
    return [id];
  }

  #isStored(id: string): boolean {
    return keyOf(id).toolCallId !== this.#unasked && this.#settledRow(id) !== undefined;
  }

  /** False for most calls of a session that has been in memory since it began. */
  #mayHaveSettled(toolCallId: string): boolean {
    return this.#settledCalls?.has(toolCallId) ?? true;
  }

  #settledRow(id: string): SettledRow | undefined {
    return this.#mayHaveSettled(keyOf(id).toolCallId) ? this.#stored.row(id) : undefined;
  }
}

interface Made {
  readonly places: number[];
  /** Its request is among them. */
  opens: boolean;
}

/** The events of a commit about each record. */
function placesIn(events: readonly SessionEvent[]): ReadonlyMap<string, Made> {
  const made = new Map<string, Made>();
  for (const event of events) {
    if (!isRecordEvent(event)) continue;
    const { interactionId } = event.payload;
    const known = made.get(interactionId) ?? { places: [], opens: false };
    known.places.push(event.seq);
    known.opens ||= event.type === 'interaction_request';
    made.set(interactionId, known);
  }
  return made;
}

/** As the last row of the log holds it. */
export function storeTail({ open, settled }: LogTail): StoredTail {
  return {
    ...(open.size > 0 && { open: [...open.values()] }),
    ...(settled !== undefined && { settled }),
  };
}

function rowKey(interactionId: string): string {
  return `${SETTLED_ROWS}/${rowNameOf(interactionId)}`;
}

function unacknowledgedKey({
  requestDigest,
  interactionId,
}: Pick<Interaction, 'interactionId' | 'requestDigest'>): string {
  return `${UNACKNOWLEDGED}/${requestDigest}/${interactionId}`;
}
