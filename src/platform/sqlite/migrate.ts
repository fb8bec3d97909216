/**
 * Brings a database to the newest schema. A migration that was released is never edited.
 *
 * The version is a row of `meta`, because the platform refuses `PRAGMA user_version`.
 */
import type { Database } from './database.ts';

/** The text of each migration, in order; the version is how many were applied. */
export type Migrations = readonly string[];

export function schemaVersion(database: Database): number {
  const [table] = database.all("SELECT name FROM sqlite_master WHERE name = 'meta'");
  if (table === undefined) return 0;
  const [row] = database.all<{ value: string }>("SELECT value FROM meta WHERE key = 'schema'");
  return row === undefined ? 0 : Number(row.value);
}

/** Call it inside the transaction of the first write, so that a new object is made in one commit. */
export function migrate(database: Database, migrations: Migrations): void {
  const version = schemaVersion(database);
  if (version >= migrations.length) return;
  for (const script of migrations.slice(version)) database.script(script);
  database.run(
    "INSERT INTO meta (key, value) VALUES ('schema', ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    String(migrations.length),
  );
}
