/**
 * Keeps a data folder to one server: two of them would be two writers of the same SQLite files, each with its own idea
 * in memory of where every log ends.
 *
 * The lock is an exclusive transaction on an empty database, held open. The kernel keeps the lock on the file, so it
 * also works between containers that share the folder and cannot see each other's processes, and the kernel releases it
 * when its process ends, however it ends. A file beside it lists the processes, because the lock alone leaves two holes:
 *
 * 1. A killed script can leave its workerd behind for a moment: workerd does not hold the lock and still writes.
 * 2. A refusal must name the process to stop.
 */
import { chmodSync, mkdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATA_FILES, writePrivateFile } from './private-files.ts';
import { processIdentity } from './process-identity.ts';

interface Holder {
  pid: number;
  identity: string;
  /** The namespace in which the process numbers are valid; absent on systems without namespaces. */
  namespace?: string;
  /** The server's address, once it serves. */
  url?: string;
}

export interface DataLock {
  /** Replaces the recorded process with the one that writes to the folder now. */
  nameServer(pid: number, url: string): void;
  release(): void;
}

export class FolderInUse extends Error {
  override name = 'FolderInUse';

  constructor(dataDir: string, pid: number | undefined) {
    const [holder, how] =
      pid === undefined
        ? ['a server in another container or on another machine', '']
        : [`process ${pid}`, ` (kill ${pid})`];
    super(
      `${dataDir} is in use by ${holder}. Stop that server first${how}, or choose another folder with HOLDPOINT_DATA.`,
    );
  }
}

const SQLITE_BUSY = 5;
/** How long a server takes to stop after SIGTERM. */
const STOPPING_MS = 2_000;
/** How long a killed server's workerd may outlive it. */
const ORPHAN_MS = 1_000;
const POLL_MS = 50;

export async function lockDataFolder(dataDir: string): Promise<DataLock> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, DATA_FILES.holders);
  const database = await lockedDatabase(dataDir, file);
  try {
    await untilOrphansEnded(dataDir, readHolders(file));
    const ours = holder(process.pid);
    writePrivateFile(file, JSON.stringify([ours]));
    return {
      nameServer: (pid, url) =>
        writePrivateFile(file, JSON.stringify([ours, { ...holder(pid), url }])),
      release() {
        rmSync(file, { force: true });
        if (database.isOpen) database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The address of the server that runs over this folder, if this process can see one. */
export function runningServer(dataDir: string): string | undefined {
  return readHolders(path.join(dataDir, DATA_FILES.holders)).find(
    (one) => one.url !== undefined && isLive(one),
  )?.url;
}

async function lockedDatabase(dataDir: string, file: string): Promise<DatabaseSync> {
  const patient = Date.now() + STOPPING_MS;
  const name = path.join(dataDir, DATA_FILES.lock);
  const database = new DatabaseSync(name);
  chmodSync(name, 0o600);
  for (;;) {
    try {
      // The transaction never writes, so it needs no rollback, and a kill must not leave a journal file.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return database;
    } catch (error) {
      const isHeld = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
      if (isHeld && Date.now() < patient) {
        await sleep(POLL_MS);
        continue;
      }
      database.close();
      throw isHeld ? new FolderInUse(dataDir, readHolders(file).find(isLive)?.pid) : error;
    }
  }
}

/**
 * A holder listed here without the lock was killed, or the machine lost power; its watcher (die-with-parent.ts) is then
 * killing its workerd. The end of a process in another container is invisible from here, so this only waits.
 */
async function untilOrphansEnded(dataDir: string, holders: readonly Holder[]): Promise<void> {
  const namespace = ownNamespace();
  const mayRun = (one: Holder) =>
    isLive(one) || (one.namespace !== undefined && one.namespace !== namespace);
  const patient = Date.now() + ORPHAN_MS;
  while (Date.now() < patient && holders.some(mayRun)) await sleep(POLL_MS);
  const orphan = holders.find(isLive);
  if (orphan !== undefined) throw new FolderInUse(dataDir, orphan.pid);
}

function readHolders(file: string): Holder[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(parsed) ? parsed.filter(isHolder) : [];
  } catch {
    // No list, or half of one: a loss of power leaves that.
    return [];
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, identity, namespace, url } = value as Partial<Record<keyof Holder, unknown>>;
  const isTextOrNone = (one: unknown) => one === undefined || typeof one === 'string';
  return (
    typeof pid === 'number' &&
    typeof identity === 'string' &&
    isTextOrNone(namespace) &&
    isTextOrNone(url)
  );
}

function holder(pid: number): Holder {
  const namespace = ownNamespace();
  const identity = processIdentity(pid) ?? 'gone';
  return { pid, identity, ...(namespace !== undefined && { namespace }) };
}

function isLive({ pid, identity, namespace }: Holder): boolean {
  const isOurs = namespace === undefined || namespace === ownNamespace();
  return isOurs && processIdentity(pid) === identity;
}

/** Only Linux has namespaces. */
function ownNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}
