/** The rows of `cli_session`. */
import type { CliSessionTable } from '../../../workspace/store.ts';
import type { TableRows } from '../database.ts';

export class SqliteCliSessionTable implements CliSessionTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  find(provider: string, cliSessionId: string): string | undefined {
    const [row] = this.#rows.all<{ session_id: string }>(
      'SELECT session_id FROM cli_session WHERE provider = ? AND cli_session_id = ?',
      provider,
      cliSessionId,
    );
    return row?.session_id;
  }

  add(provider: string, cliSessionId: string, sessionId: string): void {
    this.#rows.run(
      'INSERT INTO cli_session (provider, cli_session_id, session_id) VALUES (?, ?, ?)',
      provider,
      cliSessionId,
      sessionId,
    );
  }

  remove(provider: string, cliSessionId: string): void {
    this.#rows.run(
      'DELETE FROM cli_session WHERE provider = ? AND cli_session_id = ?',
      provider,
      cliSessionId,
    );
  }

  removeOf(sessionId: string): void {
    this.#rows.run('DELETE FROM cli_session WHERE session_id = ?', sessionId);
  }
}
