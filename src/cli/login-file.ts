/** The login of a person: an address and a token, in a private file. */
import { rm } from 'node:fs/promises';
import { isObject, isText } from '../protocol/guards.ts';
import { CliError } from './exit-code.ts';
import { type Place, privateFileOf, readPrivately, writePrivately } from './private-file.ts';

export interface Login {
  readonly url: string;
  readonly token: string;
  /** The id of the token, for its revocation. */
  readonly id: string;
  readonly expiresAt: number;
}

export function loginFileOf(place: Place): string {
  return privateFileOf(place, 'login.json');
}

export async function readLogin(place: Place): Promise<Login | undefined> {
  const file = loginFileOf(place);
  const text = await readPrivately(file, 'holdpoint login');
  if (text === undefined) return undefined;
  const login = parseLogin(text);
  if (login === undefined) {
    throw new CliError(`${file} is not a login. Run \`holdpoint login\` again.`);
  }
  return login;
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

export async function writeLogin(place: Place, login: Login): Promise<string> {
  const file = loginFileOf(place);
  await writePrivately(file, `${JSON.stringify(login, null, 2)}\n`);
  return file;
}

export async function removeLogin(place: Place): Promise<void> {
  await rm(loginFileOf(place), { force: true });
}
