/**
 * Keeps other users of the machine out of a data folder.
 *
 * Only people with a token may read a session, and `.dev.vars` protects only the keys. So the folder of the databases is
 * always private to this user. The data folder itself keeps its mode, because HOLDPOINT_DATA may name a folder with
 * other contents (`/tmp`, a home).
 */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** Every file that a server writes directly into its data folder. */
export const DATA_FILES = {
  storage: 'storage',
  config: 'workerd.capnp',
  lock: 'lock.sqlite',
  holders: 'lock',
  agentToken: 'agent-token',
  /** With `HOLDPOINT_SETTINGS`, in an image or under systemd. */
  settings: 'settings.env',
} as const;

/** Returns the folder of the databases. */
export function makePrivateFolders(dataDir: string): string {
  const storage = path.join(dataDir, DATA_FILES.storage);
  mkdirSync(storage, { recursive: true, mode: OWNER_ONLY_FOLDER });
  chmodSync(storage, OWNER_ONLY_FOLDER);
  if (isOurs(dataDir)) chmodSync(dataDir, OWNER_ONLY_FOLDER);
  return storage;
}

/** A volume may belong to another user, and only that user can change its mode. */
function isOurs(dataDir: string): boolean {
  const names: readonly string[] = Object.values(DATA_FILES);
  return (
    statSync(dataDir).uid === process.getuid?.() &&
    readdirSync(dataDir).every((name) => names.includes(name))
  );
}

/** Moves the file into place, so that a reader never finds half of it. */
export function writePrivateFile(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`;
  // Always a new file: in a folder that others can write, the name could be a symbolic link to another file.
  rmSync(fresh, { force: true });
  writeFileSync(fresh, text, { mode: OWNER_ONLY_FILE, flag: 'wx' });
  renameSync(fresh, file);
}
