/**
 * The rows of `history`: imported entries of command-line agents. The first import creates the table, which would be a page
 * of disk in every session.
 */
import type { HistoryChange, HistoryRowHead, HistoryRows } from '../../session/ports.ts';
import type { Database } from './database.ts';

/**
 * Migration 0003 made it `WITHOUT ROWID` in the databases of its time, where SQLite reads a row from end to end to compare its
 * key: with rows of up to a megabyte, every look-up read as much for each row that it passed.
 */
const CREATE = `CREATE TABLE IF NOT EXISTS history (
  cli INTEGER NOT NULL,
  first_entry INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  chain TEXT NOT NULL,
  digest TEXT NOT NULL,
  lines TEXT NOT NULL,
  PRIMARY KEY (cli, first_entry)
) STRICT`;

export class HistoryTable implements HistoryRows {
  readonly #database: Database;
  /** Never false again once a read found it. */
  #isThere = false;

  constructor(database: Database) {
    this.#database = database;
  }

  list(cli: number): HistoryRowHead[] {
    if (!this.#exists()) return [];
    return this.#database.all<HistoryRowHead & Record<string, unknown>>(
      `SELECT first_entry AS "first", entries, chain, digest, octet_length(lines) AS bytes
       FROM history WHERE cli = ? ORDER BY first_entry`,
      cli,
    );
  }

  lines(cli: number, first: number): string[] {
    if (!this.#exists()) return [];
    const [row] = this.#database.all<{ lines: string }>(
      'SELECT lines FROM history WHERE cli = ? AND first_entry = ?',
      cli,
      first,
    );
    return row === undefined ? [] : row.lines.split('\n');
  }

  bytes(): number {
    if (!this.#exists()) return 0;
    const [row] = this.#database.all<{ bytes: number | null }>(
      'SELECT sum(octet_length(lines)) AS bytes FROM history',
    );
    return row?.bytes ?? 0;
  }

  write({ cli, first, rows }: HistoryChange): void {
    if (!this.#isThere) this.#database.script(CREATE);
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

  /** Once all tables are gone. */
  forget(): void {
    this.#isThere = false;
  }

  #exists(): boolean {
    this.#isThere ||=
      this.#database.all("SELECT 1 FROM sqlite_master WHERE name = 'history'").length > 0;
    return this.#isThere;
  }
}
