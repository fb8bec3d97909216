/**
 * Keeps a data folder to one server: two of them would be two writers of the same SQLite files.
 *
 * The lock names every process that may write: the script that holds it and the workerd it started, because a killed
 * script can leave workerd running. A lock whose processes are all gone is stale and taken over.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { processIdentity } from './process-identity.ts';

interface Holder {
  pid: number;
  identity: string;
}

export interface DataLock {
  /** Names one more process that writes to the folder. */
  add(pid: number): void;
  release(): void;
}

export class FolderInUse extends Error {
  override name = 'FolderInUse';
  readonly pid: number;

  constructor(dataDir: string, pid: number) {
    super(
      `${dataDir} is in use by process ${pid}. Stop that one first (kill ${pid}), or choose another folder with HOLDPOINT_DATA.`,
    );
    this.pid = pid;
  }
}

export function lockDataFolder(dataDir: string): DataLock {
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, 'lock');
  const holders = [holder(process.pid)];
  // Twice at most: once to find a stale lock, once after it is gone.
  if (!tryCreate(file, holders)) {
    const live = readHolders(file).find(isLive);
    if (live !== undefined) throw new FolderInUse(dataDir, live.pid);
    rmSync(file, { force: true });
    if (!tryCreate(file, holders)) throw new FolderInUse(dataDir, readHolders(file)[0]?.pid ?? 0);
  }
  return {
    add(pid) {
      holders.push(holder(pid));
      writeFileSync(file, JSON.stringify(holders));
    },
    release: () => rmSync(file, { force: true }),
  };
}

function tryCreate(file: string, holders: readonly Holder[]): boolean {
  try {
    writeFileSync(file, JSON.stringify(holders), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolders(file: string): Holder[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(parsed) ? parsed.filter(isHolder) : [];
  } catch {
    // Half a lock is what a machine that lost power leaves.
    return [];
  }
}

function isHolder(value: unknown): value is Holder {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'identity' in value &&
    typeof value.identity === 'string'
  );
}

function holder(pid: number): Holder {
  return { pid, identity: processIdentity(pid) ?? 'gone' };
}

function isLive({ pid, identity }: Holder): boolean {
  return processIdentity(pid) === identity;
}
