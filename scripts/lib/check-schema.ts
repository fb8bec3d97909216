/**
 * Refuses a data folder of another version before workerd touches it.
 *
 * Each object migrates its own database when it wakes. So this reads every workspace and the most recently written
 * sessions: a newer version that ran here wrote those.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { appliedTo, type Migrations, UnknownSchema } from '../../src/platform/sqlite/migrate.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { ROOT } from './paths.ts';

const LOOKED_AT = 20;
/** The database in which workerd keeps alarms. */
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

/** The latest writes may be in the write-ahead log alone. */
function writtenAt(file: string): number {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return Math.max(statSync(file).mtimeMs, log?.mtimeMs ?? 0);
}

function check(file: string, dataDir: string, migrations: Migrations): void {
  const sqlite = new DatabaseSync(file);
  try {
    appliedTo(nodeDatabase(sqlite), migrations);
  } catch (cause) {
    // An unreadable file breaks one object; it is no reason to refuse to serve the others.
    if (!(cause instanceof UnknownSchema)) return;
    const name = path.relative(dataDir, file);
    throw new Error(`${dataDir} cannot be served because of ${name}. ${cause.message}`, { cause });
  } finally {
    sqlite.close();
  }
}
