/** The rows of `history`: imported entries of command-line agents. */
import type { HistoryChange, HistoryRowHead, HistoryRows } from '../../session/ports.ts';
import type { Database } from './database.ts';

export class HistoryTable implements HistoryRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  list(cli: number): HistoryRowHead[] {
    return this.#database.all<HistoryRowHead & Record<string, unknown>>(
      `SELECT first_entry AS "first", entries, chain, digest, octet_length(lines) AS bytes
       FROM history WHERE cli = ? ORDER BY first_entry`,
      cli,
    );
  }

  lines(cli: number, first: number): string[] {
    const [row] = this.#database.all<{ lines: string }>(
      'SELECT lines FROM history WHERE cli = ? AND first_entry = ?',
      cli,
      first,
    );
    return row === undefined ? [] : row.lines.split('\n');
  }

  bytes(): number {
    const [row] = this.#database.all<{ bytes: number | null }>(
      'SELECT sum(octet_length(lines)) AS bytes FROM history',
    );
    return row?.bytes ?? 0;
  }

  write({ cli, first, rows }: HistoryChange): void {
    this.#database.run('DELETE FROM history WHERE cli = ? AND first_entry >= ?', cli, first);
    for (const row of rows) {
      this.#database.run(
        `INSERT INTO history (cli, first_entry, entries, chain, digest, lines)
         VALUES (?, ?, ?, ?, ?, ?)`,
        cli,
        row.first,
        row.entries,
        row.chain,
        row.digest,
        row.lines.join('\n'),
      );
    }
  }

  erase(): void {
    this.#database.run('DELETE FROM history');
  }
}
