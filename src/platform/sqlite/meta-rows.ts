/**
 * The rows of `meta`: small JSON values by name, some of them in families (`rule/…`, `key/…`).
 *
 * A family is a range of the primary key, so reading one family does not read the other rows.
 */
import type { Database } from './database.ts';

export class MetaRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get<Value>(key: string): Value | undefined {
    const [row] = this.#database.all<{ value: string }>(
      'SELECT value FROM meta WHERE key = ?',
      key,
    );
    return row && (JSON.parse(row.value) as Value);
  }

  put(key: string, value: unknown): void {
    this.#database.run(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      key,
      JSON.stringify(value),
    );
  }

  remove(key: string): void {
    this.#database.run('DELETE FROM meta WHERE key = ?', key);
  }

  /** Every row under `<family>/`, in the order of the names. */
  family<Value>(family: string): { readonly name: string; readonly value: Value }[] {
    const rows = this.#database.all<{ key: string; value: string }>(
      'SELECT key, value FROM meta WHERE key > ? AND key < ? ORDER BY key',
      `${family}/`,
      `${family}${AFTER_SLASH}`,
    );
    return rows.map(({ key, value }) => ({
      name: key.slice(family.length + 1),
      value: JSON.parse(value) as Value,
    }));
  }

  removeFamily(family: string): void {
    this.#database.run(
      'DELETE FROM meta WHERE key > ? AND key < ?',
      `${family}/`,
      `${family}${AFTER_SLASH}`,
    );
  }
}

const AFTER_SLASH = String.fromCharCode('/'.charCodeAt(0) + 1);
