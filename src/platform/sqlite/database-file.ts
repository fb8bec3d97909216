/** How a database file is written to: one sync a commit, and nothing lost with the power. */
import type { Database } from './database.ts';

export function writeAhead(database: Database): void {
  database.script('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
}

/**
 * Keeps every other process from the file for as long as this connection lives; throws when another
 * one has it. The lock is the system's, so nothing stays locked after a crash.
 */
export function lockFile(database: Database): void {
  database.script('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; COMMIT;');
}
