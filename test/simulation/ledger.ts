/**
 * One session's log in storage: the written events, and how many of them are confirmed.
 *
 * The rows are read after each event of the run. Confirmed events may be sent and stay permanently; a crash loses
 * events that are only written.
 */
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { Judge } from './judge.ts';
import type { ObjectStorage } from './object-storage.ts';
import { SessionModel } from './session-model.ts';

interface LogRow {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly reported_seq: number;
  readonly events: string;
}

export class Ledger {
  readonly name: string;
  model: SessionModel;
  /** Every event as text; `seq` is the index plus 1. */
  readonly texts: string[] = [];
  readonly #rows: SessionEvent[][] = [];
  confirmedHead = 0;
  /** How far the workspace had confirmed the log, as the last row says. */
  reportedSeq = 0;
  isErased = false;
  readonly #storage: ObjectStorage;
  readonly #judge: Judge;
  #revision = -1;

  constructor(name: string, storage: ObjectStorage, judge: Judge) {
    this.name = name;
    this.#storage = storage;
    this.#judge = judge;
    this.model = new SessionModel(name, judge);
  }

  get head(): number {
    return this.texts.length;
  }

  get events(): SessionEvent[] {
    return this.#rows.flat();
  }

  get rows(): number {
    return this.#rows.length;
  }

  /** Reads the events written since the last call; all of them must carry the time `now`. */
  look(now: number): void {
    if (this.#storage.revision === this.#revision) return;
    this.#revision = this.#storage.revision;
    for (const row of this.#read(this.head)) {
      const events = JSON.parse(`[${row.events}]`) as SessionEvent[];
      const [first, last] = [events[0], events.at(-1)];
      this.#judge.hold(
        first?.seq === row.first_seq && last?.seq === row.last_seq,
        'I4',
        () => `${this.name}: a row from ${row.first_seq} to ${row.last_seq} holds ${row.events}`,
      );
      this.#judge.hold(first?.at === now, 'I4', () => `${this.name}: ${first?.at} is not now`);
      this.#add(events);
      this.reportedSeq = row.reported_seq;
    }
  }

  /** The row that keeps the result of a command under its key; a row older than a day does not count. */
  kept(key: string | undefined): string | undefined {
    const { database } = this.#storage;
    if (key === undefined || !this.#hasTable('meta')) return undefined;
    const [row] = database.all<{ value: string }>(
      'SELECT value FROM meta WHERE key GLOB ?',
      `key/*[| ]${key}`,
    );
    return row?.value;
  }

  confirm(): void {
    this.confirmedHead = this.head;
  }

  /** Drops the unconfirmed events. */
  lose(): void {
    const kept = this.#rows.filter((row) => (row.at(-1)?.seq ?? 0) <= this.confirmedHead);
    this.texts.length = 0;
    this.#rows.length = 0;
    this.model = new SessionModel(this.name, this.#judge);
    for (const row of kept) this.#add(row);
    this.reportedSeq = this.#read(0).at(-1)?.reported_seq ?? 0;
    this.isErased &&= this.#read(0).length === 0;
    this.#revision = this.#storage.revision;
  }

  /** Compares the whole log again, byte for byte. */
  recheck(): void {
    if (this.isErased) return;
    const stored = this.#read(0).flatMap((row) => JSON.parse(`[${row.events}]`) as SessionEvent[]);
    this.#judge.hold(
      stored.length === this.head,
      'I5',
      () => `${this.name} has ${stored.length} events, and had ${this.head}`,
    );
    for (const [index, event] of stored.entries()) {
      this.#judge.hold(
        JSON.stringify(event) === this.texts[index],
        'I5',
        () => `${this.name}: ${JSON.stringify(event)} was ${this.texts[index]}`,
      );
    }
  }

  #add(events: SessionEvent[]): void {
    this.#rows.push(events);
    for (const event of events) this.texts.push(JSON.stringify(event));
    this.model.row(events);
  }

  #hasTable(name: string): boolean {
    const { database } = this.#storage;
    return database.all('SELECT 1 FROM sqlite_master WHERE name = ?', name).length > 0;
  }

  #read(after: number): LogRow[] {
    const { database } = this.#storage;
    if (!this.#hasTable('log')) return [];
    const rows = database.all<LogRow>(
      'SELECT first_seq, last_seq, reported_seq, events FROM log WHERE last_seq > ? ORDER BY last_seq',
      after,
    );
    const [any] = database.all<{ count: number }>('SELECT count(*) AS count FROM log');
    if (any?.count === 0 && this.head > 0) this.isErased = true;
    return rows;
  }
}
