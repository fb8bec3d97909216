/**
 * Keeps other users of the machine out of a data folder.
 *
 * What a session holds is for the people who were given a token, and `.dev.vars` guards only the keys. The folder that
 * holds the databases is always ours alone. The data folder itself may be one that somebody pointed HOLDPOINT_DATA at
 * with things of their own in it (`/tmp`, a home): that one keeps the mode it has.
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

/** Everything that a server writes straight into its data folder. */
export const DATA_FILES = {
  storage: 'storage',
  config: 'workerd.capnp',
  lock: 'lock.sqlite',
  holders: 'lock',
  agentToken: 'agent-token',
} as const;

/** Answers the folder of the databases. */
export function makePrivateFolders(dataDir: string): string {
  const storage = path.join(dataDir, DATA_FILES.storage);
  mkdirSync(storage, { recursive: true, mode: OWNER_ONLY_FOLDER });
  chmodSync(storage, OWNER_ONLY_FOLDER);
  if (isOurs(dataDir)) chmodSync(dataDir, OWNER_ONLY_FOLDER);
  return storage;
}

/** A volume may belong to another user, who alone can change its mode. */
function isOurs(dataDir: string): boolean {
  const names: readonly string[] = Object.values(DATA_FILES);
  return (
    statSync(dataDir).uid === process.getuid?.() &&
    readdirSync(dataDir).every((name) => names.includes(name))
  );
}

/** Moved into place, so that a reader never finds half of it. */
export function writePrivateFile(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`;
  // Made anew: in a folder of others the name could be a link that leads somewhere else.
  rmSync(fresh, { force: true });
  writeFileSync(fresh, text, { mode: OWNER_ONLY_FILE, flag: 'wx' });
  renameSync(fresh, file);
}
