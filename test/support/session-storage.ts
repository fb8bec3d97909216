/** Storage for sessions of tests on Node, and sessions started over it. */
import { DatabaseSync } from 'node:sqlite';
import { NEW_SESSION, SESSION_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { MemorySessionStore } from '../../src/platform/memory/session-store.ts';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { SqliteSessionStore } from '../../src/platform/sqlite/session-store.ts';
import type { Command } from '../../src/protocol/schema/command.ts';
import { type SessionSettings, type SessionStorage, SessionWorld } from './session-world.ts';

export class SqliteStorage implements SessionStorage {
  readonly sqlite = new DatabaseSync(':memory:');

  open(): SqliteSessionStore {
    return new SqliteSessionStore(nodeDatabase(this.sqlite), SESSION_MIGRATIONS, NEW_SESSION);
  }

  /** From now on writing this table fails in the middle of a transaction, until `repair`. */
  damage(table: 'log' | 'meta' | 'history', on: 'INSERT' | 'UPDATE' | 'DELETE' = 'INSERT'): void {
    this.sqlite.exec(
      `CREATE TRIGGER damage BEFORE ${on} ON ${table} BEGIN SELECT RAISE(ABORT, 'disk'); END`,
    );
  }

  repair(): void {
    this.sqlite.exec('DROP TRIGGER damage');
  }
}

export function memoryStorage(): SessionStorage {
  const store = new MemorySessionStore();
  return { open: () => store };
}

/** A session over SQLite that exists and has reported its creation. */
export async function startedSession(
  settings: SessionSettings = {},
): Promise<SessionWorld & { readonly storage: SqliteStorage }> {
  const storage = new SqliteStorage();
  const world = new SessionWorld(storage, settings);
  await world.ask({ type: 'session.create' });
  return Object.assign(world, { storage });
}

/** The same session after these accepted commands and all reports. */
export async function sessionAfter(...commands: readonly Command[]) {
  const world = await startedSession();
  for (const command of commands) world.must(command);
  await world.quiet();
  return world;
}
