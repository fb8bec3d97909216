/**
 * The rows of `meta`, which a session and a workspace both have: small values by name, as text or as JSON.
 *
 * Some values of a session are in families (`rule/…`, `key/…`). A family is a range of the primary key, so reading one
 * family does not read the other rows.
 */
import type { TableRows } from './database.ts';

export class MetaTexts {
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

export class MetaRows {
  readonly #rows: TableRows;
  readonly #texts: MetaTexts;

  constructor(rows: TableRows) {
    this.#rows = rows;
    this.#texts = new MetaTexts(rows);
  }

  get<Value>(key: string): Value | undefined {
    const text = this.#texts.read(key);
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  }

  put(key: string, value: unknown): void {
    this.#texts.save(key, JSON.stringify(value));
  }

  remove(key: string): void {
    this.#texts.remove(key);
  }

  /** Every row under `<family>/`, from this name on, in the order of the names. */
  family<Value>(family: string, from = ''): { readonly name: string; readonly value: Value }[] {
    const rows = this.#rows.all<{ key: string; value: string }>(
      'SELECT key, value FROM meta WHERE key >= ? AND key < ? ORDER BY key',
      `${family}/${from}`,
      `${family}${AFTER_SLASH}`,
    );
    return rows.map(({ key, value }) => ({
      name: key.slice(family.length + 1),
      value: JSON.parse(value) as Value,
    }));
  }

  hasFamily(family: string): boolean {
    const rows = this.#rows.all(
      'SELECT 1 FROM meta WHERE key > ? AND key < ? LIMIT 1',
      `${family}/`,
      `${family}${AFTER_SLASH}`,
    );
    return rows.length > 0;
  }

  removeFamily(family: string): void {
    this.#rows.run(
      'DELETE FROM meta WHERE key > ? AND key < ?',
      `${family}/`,
      `${family}${AFTER_SLASH}`,
    );
  }
}

const AFTER_SLASH = String.fromCharCode('/'.charCodeAt(0) + 1);
