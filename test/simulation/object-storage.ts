/**
 * The storage of one object: SQLite in memory, behind an output gate.
 *
 * All writes since the last confirmation are in one open transaction around the transactions of the store. `confirm`
 * stands for the disk's confirmation, `crash` for the end of the process before it. A write can also be made to fail at
 * its beginning, in its middle or at its end, as on a full disk.
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
  /** Counts the writes; an observer with the same number has seen all of them. */
  revision = 0;
  /** The number of the last write that is confirmed to be on disk. */
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
      // What the platform does in one turn it writes at once; a failed write throws, as it does there.
      replaceAll: (write) => {
        this.#transaction(() => {
          const tables = plain.all<{ name: string }>(
            "SELECT name FROM sqlite_master WHERE type = 'table'",
          );
          for (const { name } of tables) plain.script(`DROP TABLE ${name}`);
          write();
        });
        return Promise.resolve();
      },
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
   * The process ends, either before the disk confirmed the writes or after it, when this many of the held replies had
   * already left.
   */
  crash(written: { readonly deliveredReplies: number } | null): void {
    if (this.#isOpen) this.#sqlite.exec(written === null ? 'ROLLBACK' : 'COMMIT');
    this.#isOpen = false;
    this.failNext = null;
    if (written !== null) {
      this.confirmedRevision = this.revision;
      this.alarm.confirm();
    }
    this.revision += 1;
    this.gate.drop(written?.deliveredReplies);
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
