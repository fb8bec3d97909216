/**
 * SQLite as the stores use it: one interface, and an adapter each for Durable Object storage and for `node:sqlite`.
 *
 * An adapter reads all rows before it returns them: a cursor that stays open over a write shows rows that were added
 * later and loses deleted ones, without an error. Both platforms are described by the part of them that is used, so
 * this file imports neither.
 */
type SqlValue = string | number | null;

export interface Database {
  /** Runs one statement; returns the rows written, on a Durable Object with their index rows. */
  run(sql: string, ...values: SqlValue[]): number;
  /** Runs a script of several statements that takes no values. */
  script(sql: string): void;
  /** Runs one statement that reads, or that writes and returns rows. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  /** Writes everything, or nothing when `work` throws. */
  transaction<Result>(work: () => Result): Result;
  /**
   * Puts what `write` writes in the place of everything that is stored, and leaves none of the former text in the file: a
   * deleted row stays readable there. Never within a transaction. Throws
   * if `write` does; the promise settles when the platform has confirmed the rest.
   */
  replaceAll(write: () => void): Promise<void>;
}

/** The part of a database that the store of one table uses. */
export type TableRows = Pick<Database, 'run' | 'all'>;

export interface CountingDatabase extends Database {
  /** Rows written since the object woke, index rows included: what the platform bills. */
  readonly rowsWritten: number;
}

/** The part of `DurableObjectStorage` that is used. */
interface ObjectStorage {
  readonly sql: {
    exec(
      sql: string,
      ...values: SqlValue[]
    ): { readonly rowsWritten: number; toArray(): unknown[] };
  };
  transactionSync<Result>(work: () => Result): Result;
  deleteAll(): Promise<void>;
}

export function durableDatabase(storage: ObjectStorage): CountingDatabase {
  let rowsWritten = 0;
  return {
    get rowsWritten() {
      return rowsWritten;
    },
    run(sql, ...values) {
      const cursor = storage.sql.exec(sql, ...values);
      const written = cursor.rowsWritten;
      rowsWritten += written;
      return written;
    },
    script(sql) {
      rowsWritten += storage.sql.exec(sql).rowsWritten;
    },
    all: <Row>(sql: string, ...values: SqlValue[]) => {
      const cursor = storage.sql.exec(sql, ...values);
      const rows = cursor.toArray() as Row[];
      rowsWritten += cursor.rowsWritten;
      return rows;
    },
    transaction: (work) => storage.transactionSync(work),
    // Within `transactionSync` it throws and deletes all the same. What follows in this turn is written to the new file.
    replaceAll(write) {
      const emptied = storage.deleteAll();
      storage.transactionSync(write);
      return emptied;
    },
  };
}

/** The part of `DatabaseSync` that is used. */
interface NodeSqlite {
  exec(sql: string): void;
  prepare(sql: string): Statement;
}
interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint };
  all(...values: SqlValue[]): unknown[];
}

export function nodeDatabase(sqlite: NodeSqlite): Database {
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? sqlite.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const transaction = <Result>(work: () => Result): Result => {
    sqlite.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      sqlite.exec('COMMIT');
      return result;
    } catch (cause) {
      sqlite.exec('ROLLBACK');
      throw cause;
    }
  };
  return {
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    script: (sql) => sqlite.exec(sql),
    all: <Row>(sql: string, ...values: SqlValue[]) => prepare(sql).all(...values) as Row[],
    transaction,
    replaceAll(write) {
      sqlite.exec('PRAGMA secure_delete = ON');
      transaction(() => {
        const tables = sqlite.prepare(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        );
        for (const { name } of tables.all() as { name: string }[]) {
          sqlite.exec(`DROP TABLE "${name}"`);
        }
        write();
      });
      // The file gives its space back, and the log beside it, which has the former text too, is emptied.
      sqlite.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
      return Promise.resolve();
    },
  };
}

/** One sync for each commit; a power failure loses no commit. */
export function enableWriteAhead(database: Database): void {
  database.script('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
}

/**
 * Keeps every other process from the file while this connection is open; throws when another process has it. The
 * operating system holds the lock and releases it after a crash.
 */
export function lockFile(database: Database): void {
  database.script('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT;');
}
