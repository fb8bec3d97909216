/** The rows of `pin`: the sessions that people keep at the top of their lists. */
import type { PinTable } from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';

export class SqlitePinTable implements PinTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  list(subject: string): string[] {
    return this.#rows
      .all<{ session_id: string }>(
        'SELECT session_id FROM pin WHERE subject = ? ORDER BY session_id',
        subject,
      )
      .map((row) => row.session_id);
  }

  add(subject: string, sessionId: string, at: number): void {
    this.#rows.run(
      'INSERT INTO pin (subject, session_id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      subject,
      sessionId,
      at,
    );
  }

  remove(subject: string, sessionId: string): void {
    this.#rows.run('DELETE FROM pin WHERE subject = ? AND session_id = ?', subject, sessionId);
  }

  has(sessionId: string): boolean {
    const found = this.#rows.all('SELECT 1 FROM pin WHERE session_id = ? LIMIT 1', sessionId);
    return found.length > 0;
  }

  /** Reads all pins, which is rare: a session is deleted once. */
  removeOf(sessionId: string): void {
    this.#rows.run('DELETE FROM pin WHERE session_id = ?', sessionId);
  }
}
