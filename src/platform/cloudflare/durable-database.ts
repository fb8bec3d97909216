/** The SQLite of a Durable Object as a `Database`; counts the rows it writes. */
import type { Database } from '../sqlite/database.ts';

export interface CountingDatabase extends Database {
  /** Rows written since the object woke, index rows included: what the platform bills. */
  readonly rowsWritten: number;
}

export function durableDatabase(storage: DurableObjectStorage): CountingDatabase {
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
    all<Row>(sql: string, ...values: (string | number | null)[]) {
      return storage.sql.exec(sql, ...values).toArray() as Row[];
    },
    transaction: (work) => storage.transactionSync(work),
  };
}
