/**
 * Requests credentials from a local server with its admin key: a token for the person at the terminal and a key for
 * agents, so that no person has to paste the admin key.
 */
import { readFileSync } from 'node:fs';
import { writePrivateFile } from './private-files.ts';

export interface LocalServer {
  readonly url: string;
  readonly adminKey: string;
}

export interface PersonToken {
  readonly token: string;
  readonly id: string;
}

const DAY_SECONDS = 24 * 3_600;
const TIMEOUT_MS = 10_000;
const UNAUTHORIZED = 401;
const UNAVAILABLE = 503;

/** The server could not be reached, or says that a later try may succeed. */
export class NotYet extends Error {}

/** One day: the link is visible in a terminal, and one command makes a new one. */
export async function makePersonToken(server: LocalServer, name: string): Promise<PersonToken> {
  const answer = await post(server, '/v1/tokens', {
    scopes: ['read', 'answer', 'send'],
    subject: name,
    ttlSeconds: DAY_SECONDS,
  });
  return { token: text(answer, 'token'), id: text(answer, 'id') };
}

export async function revokeToken({ url, adminKey }: LocalServer, id: string): Promise<void> {
  const path = `/v1/tokens/${id}`;
  const { ok, status } = await send(url, 'DELETE', path, adminKey);
  if (!ok) throw new Error(`DELETE ${path} answered ${status}.`);
}

/**
 * A key with the scope `agent` alone: the stored key while the server accepts it. A changed deployment secret, an
 * emptied data folder or an administrator may have invalidated it.
 */
export async function keepAgentToken(server: LocalServer, file: string): Promise<void> {
  const known = readIfThere(file);
  if (known !== undefined && (await isTaken(server.url, known))) return;
  const answer = await post(server, '/v1/keys', { name: 'local-agent', scopes: ['agent'] });
  writePrivateFile(file, `${text(answer, 'secret')}\n`);
}

/** An agent key may not list the inbox; a refusal other than 401 shows that the server knows the key. */
async function isTaken(url: string, token: string): Promise<boolean> {
  const { status } = await send(url, 'GET', '/v1/inbox', token);
  return status !== UNAUTHORIZED;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

async function post(server: LocalServer, path: string, body: object): Promise<unknown> {
  const { ok, status, body: printed } = await send(server.url, 'POST', path, server.adminKey, body);
  const answer: unknown = JSON.parse(printed);
  if (ok) return answer;
  if (status === UNAUTHORIZED)
    throw new Error(
      `The server at ${server.url} does not accept this HOLDPOINT_ADMIN_KEY: set the key that it was started with.`,
    );
  throw new Error(`POST ${path} was refused: ${messageOf(answer)}`);
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: string;
}

async function send(
  url: string,
  method: string,
  path: string,
  token: string,
  body?: object,
): Promise<Answer> {
  const answer = await request(url, method, path, token, body).catch((cause: unknown) => {
    throw new NotYet(`The server at ${url} did not answer ${method} ${path}.`, { cause });
  });
  if (answer.status !== UNAVAILABLE) return answer;
  throw new NotYet(`The server at ${url} answered ${method} ${path} with ${UNAVAILABLE}.`);
}

async function request(
  url: string,
  method: string,
  path: string,
  token: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { ok: response.ok, status: response.status, body: await response.text() };
}

function text(answer: unknown, name: string): string {
  const found: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined;
  if (typeof found !== 'string') throw new Error(`The server's answer has no "${name}".`);
  return found;
}

function messageOf(answer: unknown): string {
  const { error } = answer as { error?: { message?: unknown } };
  return typeof error?.message === 'string' ? error.message : JSON.stringify(answer);
}
