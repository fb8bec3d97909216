/**
 * Refuses a data folder of another version before workerd touches it.
 *
 * Databases are brought up to date one by one, as their objects wake. So the workspaces are looked at,
 * and of the sessions those that were written last: if a newer version ran here, it wrote them.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { appliedTo, type Migrations, UnknownSchema } from '../../src/platform/sqlite/migrate.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { ROOT } from './paths.ts';

const LOOKED_AT = 20;
/** The platform's alarms. */
const METADATA = 'metadata.sqlite';

export function checkSchema(dataDir: string): void {
  for (const kind of ['workspace', 'session']) {
    const folder = path.join(dataDir, 'storage', kind);
    const migrations = migrationsOf(kind);
    for (const file of writtenLast(folder)) check(path.join(folder, file), dataDir, migrations);
  }
}

function migrationsOf(kind: string): Migrations {
  const folder = path.join(ROOT, 'migrations', kind);
  const files = readdirSync(folder).toSorted();
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8'));
}

function writtenLast(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sqlite') && file !== METADATA)
    .map((file) => ({ file, at: writtenAt(path.join(folder, file)) }))
    .toSorted((a, b) => b.at - a.at)
    .slice(0, LOOKED_AT)
    .map(({ file }) => file);
}

/** What was written last may still be in the write-ahead log alone. */
function writtenAt(file: string): number {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return Math.max(statSync(file).mtimeMs, log?.mtimeMs ?? 0);
}

function check(file: string, dataDir: string, migrations: Migrations): void {
  const sqlite = new DatabaseSync(file);
  try {
    appliedTo(nodeDatabase(sqlite), migrations);
  } catch (cause) {
    // A file that cannot be read at all is the trouble of one object, and no reason to serve none.
    if (!(cause instanceof UnknownSchema)) return;
    const name = path.relative(dataDir, file);
    throw new Error(`${dataDir} is not served, because of ${name}. ${cause.message}`, { cause });
  } finally {
    sqlite.close();
  }
}
