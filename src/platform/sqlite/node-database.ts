/** `node:sqlite` as a `Database`: the same storage code in a plain process. */
import type { Database, SqlValue } from './database.ts';

/** The part of `DatabaseSync` that is used; named here so that nothing of Node is imported. */
interface Sqlite {
  exec(sql: string): void;
  prepare(sql: string): Statement;
}
interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint };
  all(...values: SqlValue[]): unknown[];
}

export function nodeDatabase(sqlite: Sqlite): Database {
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = sqlite.prepare(sql);
    statements.set(sql, made);
    return made;
  };
  return {
    run: (sql, ...values) => Number(prepared(sql).run(...values).changes),
    script: (sql) => sqlite.exec(sql),
    all: <Row>(sql: string, ...values: SqlValue[]) => prepared(sql).all(...values) as Row[],
    transaction(work) {
      sqlite.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        sqlite.exec('COMMIT');
        return result;
      } catch (cause) {
        sqlite.exec('ROLLBACK');
        throw cause;
      }
    },
  };
}
