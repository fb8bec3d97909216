/**
 * Keeps a data folder to one server: two of them would be two writers of the same SQLite files, each with its own idea
 * in memory of where every log ends.
 *
 * The lock is an exclusive transaction on an empty database, held open. The kernel keeps it on the file, so it also
 * holds between containers that share the folder and cannot see each other's processes, and it goes with the process
 * that held it, however that ended. Beside it stands a list of the processes, because the lock alone leaves two holes:
 *
 * 1. A killed script can leave its workerd behind for a moment, which no longer holds the lock and still writes.
 * 2. A refusal has to say whom to stop.
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
  /** Process numbers mean something only in the namespace they are of; absent where there are none. */
  namespace?: string;
  /** Of the server, once it serves. */
  url?: string;
}

export interface DataLock {
  /** Names the process that writes to the folder now, in place of the one before. */
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
      `${dataDir} is in use by ${holder}. Stop that one first${how}, or choose another folder with HOLDPOINT_DATA.`,
    );
  }
}

const SQLITE_BUSY = 5;
/** What a server that was just told to stop needs. */
const STOPPING_MS = 2_000;
/** What a killed one needs until its workerd is gone too. */
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

/** The address of the server that runs over this folder, if one does that can be seen from here. */
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
      // Nothing is ever written, so there is nothing to roll back, and no journal is to be left by a kill.
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
 * Holders that stand here although nobody has the lock were killed, or the machine was; then what watches over their
 * workerd (die-with-parent.ts) is killing it. One in another container cannot be seen to end, only be given the time.
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
    // None, or half a list: what a machine that lost power leaves.
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

/** Linux alone has them. */
function ownNamespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}
