/** The migrations as files, for runs that load nothing but TypeScript. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Migrations } from '../../src/platform/sqlite/migrate.ts';

export function readMigrations(of: 'session' | 'workspace' | 'target'): Migrations {
  const folder = new URL(`../../migrations/${of}/`, import.meta.url);
  const files = readdirSync(folder).toSorted();
  return files.map((file) => readFileSync(new URL(file, folder), 'utf8'));
}
