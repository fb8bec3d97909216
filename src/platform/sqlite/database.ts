/**
 * SQLite in the few words this project needs; Durable Object storage and `node:sqlite` both fit.
 *
 * Rows are read whole before they are returned: a cursor that stays open over a write shows rows
 * that were added later and loses ones that were deleted, without an error.
 */
export type SqlValue = string | number | null;

export interface Database {
  /** Runs one statement; the number of rows it wrote, index rows included. */
  run(sql: string, ...values: SqlValue[]): number;
  /** Runs a script of several statements that takes no values. */
  script(sql: string): void;
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  /** All of it is written, or nothing when `work` throws. */
  transaction<Result>(work: () => Result): Result;
}
