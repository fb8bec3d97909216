/** The key with which the hooks of this machine ask, in a private file: the settings that name the hooks may be shared. */
import { rm } from 'node:fs/promises';
import { isObject, isText } from '../protocol/guards.ts';
import { CliError } from './exit-code.ts';
import { type Place, privateFileOf, readPrivately, writePrivately } from './private-file.ts';

export interface AgentKey {
  readonly url: string;
  readonly token: string;
}

export function agentKeyFileOf(place: Place): string {
  return privateFileOf(place, 'agent.json');
}

export async function readAgentKey(place: Place): Promise<AgentKey | undefined> {
  const file = agentKeyFileOf(place);
  const text = await readPrivately(file, 'holdpoint connect');
  if (text === undefined) return undefined;
  const key = parseKey(text);
  if (key === undefined) {
    throw new CliError(`${file} is not a key. Remove it and run \`holdpoint connect\` again.`);
  }
  return key;
}

function parseKey(text: string): AgentKey | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { url, token } = value;
  return isText(url) && isText(token) ? { url, token } : undefined;
}

export async function writeAgentKey(place: Place, { url, token }: AgentKey): Promise<string> {
  const file = agentKeyFileOf(place);
  await writePrivately(file, `${JSON.stringify({ url, token }, null, 2)}\n`);
  return file;
}

export async function removeAgentKey(place: Place): Promise<void> {
  await rm(agentKeyFileOf(place), { force: true });
}
