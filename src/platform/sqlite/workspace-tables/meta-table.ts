/** The rows of `meta`: small values of a workspace, each under its name. */
import type { TableRows } from '../database.ts';

export class MetaTable {
  readonly #rows: TableRows;

  constructor(rows: TableRows) {
    this.#rows = rows;
  }

  read(key: string): string | undefined {
    return this.#rows.all<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)[0]?.value;
  }

  save(key: string, value: string): void {
    this.#rows.run(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }

  remove(key: string): void {
    this.#rows.run('DELETE FROM meta WHERE key = ?', key);
  }
}
