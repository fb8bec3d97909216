/**
 * The alarms of a process, stored in the file of its workspace; a Durable Object has an alarm of its own.
 *
 * The table is in no migration, because only processes have it.
 */
import type { Database } from './database.ts';

export class SqliteAlarmStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
    database.script(
      'CREATE TABLE IF NOT EXISTS process_alarm (name TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID',
    );
  }

  all(): (readonly [name: string, at: number])[] {
    return this.#database
      .all<{ name: string; at: number }>('SELECT name, at FROM process_alarm ORDER BY at')
      .map(({ name, at }) => [name, at]);
  }

  put(name: string, at: number): void {
    this.#database.run(
      'INSERT INTO process_alarm (name, at) VALUES (?, ?) ON CONFLICT DO UPDATE SET at = excluded.at',
      name,
      at,
    );
  }

  remove(name: string): void {
    this.#database.run('DELETE FROM process_alarm WHERE name = ?', name);
  }
}
