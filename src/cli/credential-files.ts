/**
 * The credentials of this machine, each in a private file: the login of a person, and the key with which the hooks of an
 * agent ask. The key has a file of its own because the settings that name the hooks may be shared.
 */
import { rm } from 'node:fs/promises';
import { isObject, isText } from '../protocol/types.ts';
import { CliError } from './exit-code.ts';
import { type ConfigHome, privateFileOf, readPrivately, writePrivately } from './private-file.ts';

export interface Login {
  readonly url: string;
  readonly token: string;
  /** The id of the token, for its revocation. */
  readonly id: string;
  readonly expiresAt: number;
}

export interface AgentKey {
  readonly url: string;
  readonly token: string;
}

export function loginFileOf(place: ConfigHome): string {
  return privateFileOf(place, 'login.json');
}

export async function readLogin(place: ConfigHome): Promise<Login | undefined> {
  const file = loginFileOf(place);
  const text = await readPrivately(file, 'holdpoint login');
  if (text === undefined) return undefined;
  const { url, token, id, expiresAt } = parseFields(text);
  if (isText(url) && isText(token) && isText(id) && typeof expiresAt === 'number') {
    return { url, token, id, expiresAt };
  }
  throw new CliError(`${file} is not a login. Run \`holdpoint login\` again.`);
}

export function writeLogin(place: ConfigHome, login: Login): Promise<string> {
  return writeFields(loginFileOf(place), login);
}

export async function removeLogin(place: ConfigHome): Promise<void> {
  await rm(loginFileOf(place), { force: true });
}

export function agentKeyFileOf(place: ConfigHome): string {
  return privateFileOf(place, 'agent.json');
}

export async function readAgentKey(place: ConfigHome): Promise<AgentKey | undefined> {
  const file = agentKeyFileOf(place);
  const text = await readPrivately(file, 'holdpoint connect');
  if (text === undefined) return undefined;
  const { url, token } = parseFields(text);
  if (isText(url) && isText(token)) return { url, token };
  throw new CliError(`${file} is not a key. Remove it and run \`holdpoint connect\` again.`);
}

export function writeAgentKey(place: ConfigHome, { url, token }: AgentKey): Promise<string> {
  return writeFields(agentKeyFileOf(place), { url, token });
}

export async function removeAgentKey(place: ConfigHome): Promise<void> {
  await rm(agentKeyFileOf(place), { force: true });
}

/** Without a field for a text that is no JSON object: the reader of the credential says what the file should be. */
function parseFields(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

async function writeFields(file: string, fields: object): Promise<string> {
  await writePrivately(file, `${JSON.stringify(fields, null, 2)}\n`);
  return file;
}
