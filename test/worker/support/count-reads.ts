/** Counts the rows that the storage of an object reads, as the platform bills them. */
import { type CountingDatabase, durableDatabase } from '../../../src/platform/sqlite/database.ts';

export interface CountedReads {
  readonly database: CountingDatabase;
  /** Rows read by this work alone. */
  during(work: () => unknown): number;
}

export function countReads(storage: DurableObjectStorage): CountedReads {
  let read = 0;
  const exec = (sql: string, ...values: (string | number | null)[]) => {
    const cursor = storage.sql.exec(sql, ...values);
    let counted = 0;
    const count = () => {
      read += cursor.rowsRead - counted;
      counted = cursor.rowsRead;
    };
    return {
      toArray() {
        const rows = cursor.toArray();
        count();
        return rows;
      },
      get rowsWritten() {
        count();
        return cursor.rowsWritten;
      },
    };
  };
  const counted = {
    sql: { exec },
    deleteAll: () => storage.deleteAll(),
    transactionSync: <Result>(work: () => Result) => storage.transactionSync(work),
  };
  return {
    database: durableDatabase(counted),
    during(work) {
      read = 0;
      work();
      return read;
    },
  };
}
