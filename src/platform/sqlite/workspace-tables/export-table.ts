/** The rows of `session_export`. */
import type { ExportTable } from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';

export class SqliteExportTable implements ExportTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  headOf(sessionId: string): number {
    const [row] = this.#rows.all<{ head: number }>(
      'SELECT head FROM session_export WHERE session_id = ?',
      sessionId,
    );
    return row?.head ?? 0;
  }

  put(sessionId: string, head: number, at: number): void {
    this.#rows.run(
      `INSERT INTO session_export (session_id, head, at) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET head = excluded.head, at = excluded.at
       WHERE excluded.head > session_export.head`,
      sessionId,
      head,
      at,
    );
  }

  removeOf(sessionId: string): void {
    this.#rows.run('DELETE FROM session_export WHERE session_id = ?', sessionId);
  }
}
