/**
 * What one object has on disk: SQLite in memory, behind an output gate.
 *
 * All that is written since the last confirmation is one open transaction around those of the store:
 * `confirm` is the disk saying yes, `lose` is the process ending before that. A write can also be
 * told to fail, at its beginning, in its middle or at its end, as a full disk would.
 */
import { DatabaseSync } from 'node:sqlite';
import { type Database, nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { OutputGate } from './output-gate.ts';
import { PlatformAlarm } from './platform-alarm.ts';

export type FailurePoint = 'before' | 'in the middle' | 'at the end' | 'the one after';

export class DiskFull extends Error {
  override readonly message = 'The disk is full';
}

export class ObjectStorage {
  readonly gate = new OutputGate();
  readonly alarm = new PlatformAlarm(() => this.#changed());
  readonly database: Database;
  /** The next transaction fails there. */
  failNext: FailurePoint | null = null;
  failures = 0;
  /** When a write failed last, by the clock of the run. */
  failedAt = 0;
  /** Counts the writes; whoever has seen this number has seen everything. */
  revision = 0;
  /** All up to this one is on disk for good. */
  confirmedRevision = 0;
  readonly #now: () => number;
  readonly #sqlite = new DatabaseSync(':memory:');
  #isOpen = false;
  /** Statements since the transaction began; null outside of one. */
  #statements: number | null = null;

  constructor(now: () => number) {
    this.#now = now;
    const plain = nodeDatabase(this.#sqlite);
    this.database = {
      all: (sql, ...values) => plain.all(sql, ...values),
      script: (sql) => plain.script(sql),
      run: (sql, ...values) => {
        this.#begin();
        if (this.#statements !== null) this.#statements += 1;
        if (this.failNext === 'in the middle' && this.#statements === 2) throw this.#fail();
        return plain.run(sql, ...values);
      },
      transaction: (work) => this.#transaction(work),
    };
  }

  confirm(): void {
    if (this.#isOpen) this.#sqlite.exec('COMMIT');
    this.#isOpen = false;
    this.confirmedRevision = this.revision;
    this.alarm.confirm();
    this.gate.open();
  }

  /**
   * The process ends: before the disk said yes, or after it, when so many of the things that were
   * held back had left already.
   */
  crash(written: { readonly heard: number } | null): void {
    if (this.#isOpen) this.#sqlite.exec(written === null ? 'ROLLBACK' : 'COMMIT');
    this.#isOpen = false;
    this.failNext = null;
    if (written !== null) {
      this.confirmedRevision = this.revision;
      this.alarm.confirm();
    }
    this.revision += 1;
    this.gate.drop(written?.heard);
    this.alarm.reset();
  }

  close(): void {
    this.#sqlite.close();
  }

  #transaction<Result>(work: () => Result): Result {
    this.#begin();
    this.#statements = 0;
    this.#sqlite.exec('SAVEPOINT step');
    try {
      if (this.failNext === 'before') throw this.#fail();
      const result = work();
      if (this.failNext === 'the one after') this.failNext = 'before';
      else if (this.failNext !== null) throw this.#fail();
      this.#sqlite.exec('RELEASE step');
      return result;
    } catch (cause) {
      this.#sqlite.exec('ROLLBACK TO step; RELEASE step');
      throw cause;
    } finally {
      this.#statements = null;
    }
  }

  #begin(): void {
    if (!this.#isOpen) this.#sqlite.exec('BEGIN');
    this.#isOpen = true;
    this.#changed();
  }

  #changed(): void {
    this.revision += 1;
    this.gate.close();
  }

  #fail(): Error {
    this.failNext = null;
    this.failures += 1;
    this.failedAt = this.#now();
    return new DiskFull();
  }
}
