/**
 * Files with credentials, which only their owner may read.
 *
 * Other users of the machine, or a link that leads the program to another file, must not decide who asks or answers. A file
 * is opened without following a link, and its owner and mode are those of the opened file.
 */
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './exit-code.ts';
import type { Terminal } from './cli-command.ts';

export type ConfigHome = Pick<Terminal, 'env' | 'home'>;

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** The specification of XDG says that a relative path counts as missing. */
export function privateFileOf({ env, home }: ConfigHome, name: string): string {
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  const folder = path.isAbsolute(configured) ? configured : path.join(home, '.config');
  return path.join(folder, 'holdpoint', name);
}

/** `maker` is the command that writes the file anew. */
export async function readPrivately(file: string, maker: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch((cause: unknown) => {
    const { code } = cause as { readonly code?: unknown };
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP') {
      throw new CliError(
        `${file} is a symbolic link, which could lead to the credential of another person. Remove it and run \`${maker}\`.`,
      );
    }
    throw cause;
  });
  if (handle === undefined) return undefined;
  try {
    const { mode, uid, size } = await handle.stat();
    await checkFolder(path.dirname(file));
    checkOwner(file, uid);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new CliError(
        `${file} can be read by other users of this machine. Run: chmod 600 ${file}`,
      );
    }
    if (size > 65_536) throw new CliError(`${file} is too long. Run \`${maker}\` again.`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

/** In a folder that others can write, the file could be exchanged. */
async function checkFolder(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  checkOwner(folder, uid);
  if (process.platform !== 'win32' && (mode & OTHERS_WRITE) !== 0) {
    throw new CliError(
      `${folder} can be written by other users of this machine. Run: chmod 700 ${folder}`,
    );
  }
}

function checkOwner(file: string, uid: number): void {
  const own = process.getuid?.();
  if (own === undefined || uid === own) return;
  throw new CliError(`${file} belongs to another user, so this program does not use it.`);
}

/** Moves the file into place, so that a reader never finds half of it and a link in its place is replaced, not followed. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkFolder(folder);
  const fresh = `${file}.${process.pid}`;
  await rm(fresh, { force: true });
  await writeFile(fresh, text, { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
}
