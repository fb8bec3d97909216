/**
 * `holdpoint/in-process/sqlite`: sessions in a folder, one file for each session and target and one for the workspace, with the
 * SQLite of Node. Sessions outlive the process; the next process goes on with their deadlines.
 *
 * ```ts
 * const host = new InProcessHost({ storage: sqliteFolder('./data') });
 * ```
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { hashText } from '../core/digest.ts';
import { SqliteAlarmStore } from '../platform/sqlite/alarm-store.ts';
import {
  type Database,
  enableWriteAhead,
  lockFile,
  nodeDatabase,
} from '../platform/sqlite/database.ts';
import { UnknownSchema } from '../platform/sqlite/migrate.ts';
import {
  NEW_SESSION,
  SESSION_MIGRATIONS,
  TARGET_MIGRATIONS,
  WORKSPACE_MIGRATIONS,
} from '../platform/sqlite/migrations.ts';
import { SqliteSessionStore } from '../platform/sqlite/session-store.ts';
import { SqliteTargetStore } from '../platform/sqlite/target-store.ts';
import { SqliteWorkspaceStore } from '../platform/sqlite/workspace-store.ts';
import { refuseOldRuntime } from './refuse-old-runtime.ts';
import { WORKSPACE_NAME } from './role.ts';
import type { InProcessStorage, OpenStorage } from './storage.ts';

const READABLE_CHARS = 60;

const SQLITE = nodeSqlite();

/** Asked for, not imported: an import of a missing module fails before this file could say what is missing. */
function nodeSqlite(): typeof import('node:sqlite') {
  const found = process.getBuiltinModule('node:sqlite');
  refuseOldRuntime(found !== undefined, {
    entry: 'holdpoint/in-process/sqlite',
    what: 'node:sqlite',
    node: 24,
  });
  return found;
}

/** For one process at a time: a session in two processes would decide twice. */
export function sqliteFolder(folder: string): InProcessStorage {
  return { open: () => openFolder(folder) };
}

function openFolder(folder: string): OpenStorage {
  const sessions = join(folder, 'sessions');
  const targets = join(folder, 'targets');
  for (const kept of [sessions, targets]) mkdirSync(kept, { recursive: true });
  const { sqlite, database } = openLocked(folder);
  const opened = new Map<string, DatabaseSync>();
  const pathOf = (sessionId: string) => join(sessions, fileNameOf(sessionId));
  const openAs = <Store>(name: string, path: string, make: (database: Database) => Store) => {
    const file = openFile(path);
    const store = prepareOrClose(file, path, () => make(file.database));
    opened.set(name, file.sqlite);
    return store;
  };
  const open = (sessionId: string) =>
    openAs(
      sessionId,
      pathOf(sessionId),
      (database) => new SqliteSessionStore(database, SESSION_MIGRATIONS, NEW_SESSION),
    );
  const targetPath = (targetId: string) => join(targets, fileNameOf(targetId));
  const workspace = prepareOrClose(
    { sqlite },
    folder,
    () => new SqliteWorkspaceStore(database, WORKSPACE_MIGRATIONS, WORKSPACE_NAME),
  );
  return {
    outlivesProcess: true,
    workspace,
    alarms: new SqliteAlarmStore(database),
    find: (sessionId) => (existsSync(pathOf(sessionId)) ? open(sessionId) : undefined),
    create: open,
    target: (targetId) =>
      openAs(
        // No id of a session holds a slash.
        `target/${targetId}`,
        targetPath(targetId),
        (database) => new SqliteTargetStore(database, TARGET_MIGRATIONS),
      ),
    hasTarget: (targetId) => existsSync(targetPath(targetId)),
    release(sessionId, isEmpty) {
      opened.get(sessionId)?.close();
      opened.delete(sessionId);
      if (isEmpty) rmSync(pathOf(sessionId), { force: true });
    },
    close() {
      for (const file of opened.values()) file.close();
      opened.clear();
      sqlite.close();
    },
  };
}

interface OpenFile {
  readonly sqlite: DatabaseSync;
  readonly database: Database;
}

function openFile(
  path: string,
  prepare: (database: Database) => void = enableWriteAhead,
): OpenFile {
  const sqlite = new SQLITE.DatabaseSync(path);
  const database = nodeDatabase(sqlite);
  try {
    prepare(database);
    return { sqlite, database };
  } catch (cause) {
    sqlite.close();
    throw cause;
  }
}

/** A file with an unknown schema must not stay open or locked in a process that goes on. */
function prepareOrClose<Made>(
  { sqlite }: Pick<OpenFile, 'sqlite'>,
  path: string,
  make: () => Made,
): Made {
  try {
    return make();
  } catch (cause) {
    sqlite.close();
    if (!(cause instanceof UnknownSchema)) throw cause;
    throw new Error(`${path} is not served. ${cause.message}`, { cause });
  }
}

function openLocked(folder: string): OpenFile {
  try {
    return openFile(join(folder, 'workspace.sqlite'), (database) => {
      lockFile(database);
      enableWriteAhead(database);
    });
  } catch (cause) {
    throw new Error(`${folder} is open in another process, or cannot be written`, { cause });
  }
}

/**
 * The name of a session's file: readable, and safe on every file system.
 *
 * Some file systems ignore case or allow no colon. So the beginning is only for people, and the digest
 * makes the name unique.
 */
export function fileNameOf(sessionId: string): string {
  const readable = sessionId.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '_');
  return `${readable.slice(0, READABLE_CHARS)}.${hashText(sessionId)}.sqlite`;
}
