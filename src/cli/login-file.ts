/**
 * The login of a person: an address and a token, in a file that only its owner may read.
 *
 * Other users of the machine, or a link that leads the program to another file, must not decide who answers. The file is
 * opened without following a link, and its owner and mode are those of the opened file.
 */
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isObject, isText } from '../protocol/guards.ts';
import { CliError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export interface Login {
  readonly url: string;
  readonly token: string;
  /** The id of the token, for its revocation. */
  readonly id: string;
  readonly expiresAt: number;
}

type Place = Pick<Terminal, 'env' | 'home'>;

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/** The specification of XDG says that a relative path counts as missing. */
export function loginFileOf({ env, home }: Place): string {
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  const folder = path.isAbsolute(configured) ? configured : path.join(home, '.config');
  return path.join(folder, 'holdpoint', 'login.json');
}

export async function readLogin(place: Place): Promise<Login | undefined> {
  const file = loginFileOf(place);
  const text = await readPrivately(file);
  if (text === undefined) return undefined;
  const login = parseLogin(text);
  if (login === undefined) {
    throw new CliError(`${file} is not a login. Run \`holdpoint login\` again.`);
  }
  return login;
}

async function readPrivately(file: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(file, flags).catch((cause: unknown) => {
    const { code } = cause as { readonly code?: unknown };
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP') {
      throw new CliError(
        `${file} is a symbolic link, which could lead to another person's login. Remove it and run \`holdpoint login\`.`,
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
    if (size > 65_536) throw new CliError(`${file} is not a login: it is too long.`);
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

function parseLogin(text: string): Login | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { url, token, id, expiresAt } = value;
  return isText(url) && isText(token) && isText(id) && typeof expiresAt === 'number'
    ? { url, token, id, expiresAt }
    : undefined;
}

/** Moves the file into place, so that a reader never finds half of it and a link in its place is replaced, not followed. */
export async function writeLogin(place: Place, login: Login): Promise<string> {
  const file = loginFileOf(place);
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await checkFolder(folder);
  const fresh = `${file}.${process.pid}`;
  await rm(fresh, { force: true });
  await writeFile(fresh, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(fresh, file);
  return file;
}

export async function removeLogin(place: Place): Promise<void> {
  await rm(loginFileOf(place), { force: true });
}
