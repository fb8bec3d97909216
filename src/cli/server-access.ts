/**
 * Which server a command uses and with which credential.
 *
 * An agent asks with a key of the scope `agent`; a person reads and answers with the token of `holdpoint login`. The
 * environment wins over the login, because it was set for this shell. A key of an agent on this machine is in the data
 * folder of `npm start`.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseServerAddress } from '../client/agent/connect.ts';
import { ClientError } from '../client/errors.ts';
import { HttpTransport } from '../client/http-transport.ts';
import { HttpCalls } from '../client/requests/http-calls.ts';
import { TokenSource } from '../client/token-source.ts';
import type { CliCall, Terminal } from './cli-command.ts';
import { agentKeyFileOf, readAgentKey, readLogin } from './credential-files.ts';
import { CliError, EXIT, usageError } from './exit-code.ts';

const USUAL_URL = 'http://127.0.0.1:8787';

/** Where the server of this machine is: the address that `npm start` has written into its data folder, if it runs. */
export function localUrl(terminal: Pick<Terminal, 'env' | 'cwd'>): string {
  try {
    const holders: unknown = JSON.parse(readFileSync(inDataFolder(terminal, 'lock'), 'utf8'));
    const server = Array.isArray(holders) ? holders.find(isRunningServer) : undefined;
    return server?.url ?? USUAL_URL;
  } catch {
    // No server has run over this folder, or half of the list is written.
    return USUAL_URL;
  }
}

function isRunningServer(holder: unknown): holder is { readonly url: string } {
  if (typeof holder !== 'object' || holder === null) return false;
  const { pid, url } = holder as { readonly pid?: unknown; readonly url?: unknown };
  return typeof pid === 'number' && typeof url === 'string' && isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process lives and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function inDataFolder({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>, file: string): string {
  return path.resolve(cwd, nonEmpty(env['HOLDPOINT_DATA']) ?? '.holdpoint', file);
}

export interface ServerAccess {
  readonly url: string;
  readonly token: string;
  /** Where the credential comes from, in words for a person. */
  readonly from: string;
  readonly isLogin: boolean;
}

/** The access of an agent, which asks. */
export async function agentAccess(call: CliCall): Promise<ServerAccess> {
  const access = await findAgentAccess(call);
  if (access !== undefined) return access;
  throw noCredential(
    'No credential to ask with. Set HOLDPOINT_URL and HOLDPOINT_TOKEN, a key with the scope agent; `npm start` of a server prints both.',
  );
}

/** What finding the server takes of a call; the first request of a hook has no options. */
export interface AccessCall {
  readonly args: Pick<CliCall['args'], 'text' | 'has'>;
  readonly terminal: Pick<Terminal, 'env' | 'home' | 'cwd'>;
  readonly err?: Pick<CliCall['err'], 'print'>;
}

export async function findAgentAccess(call: AccessCall): Promise<ServerAccess | undefined> {
  const { env } = call.terminal;
  const given = givenToken(call);
  const address = call.args.text('url') ?? nonEmpty(env['HOLDPOINT_URL']);
  const named = address === undefined ? undefined : checkAddress(call, address);
  const url = named ?? localUrl(call.terminal);
  if (given !== undefined) return { url, ...given, isLogin: false };
  const kept = await readAgentKey(call.terminal);
  if (kept !== undefined && (named === undefined || isSameServer(kept.url, named))) {
    return { ...kept, from: agentKeyFileOf(call.terminal), isLogin: false };
  }
  return localAccess(call, url);
}

/** The key that `npm start` of a server in this folder made. */
export async function localAccess(
  call: Pick<AccessCall, 'terminal'>,
  url: string,
): Promise<ServerAccess | undefined> {
  if (!isLocalAddress(url)) return undefined;
  const file = inDataFolder(call.terminal, 'agent-token');
  const token = await readIfThere(file);
  return token === undefined ? undefined : { url, token, from: file, isLogin: false };
}

/** The access of a person, who reads and answers. */
export async function personAccess(call: CliCall): Promise<ServerAccess> {
  const access = await findPersonAccess(call);
  if (access !== undefined) return access;
  throw noCredential(
    'Nobody is logged in. Run `holdpoint login` with the link that opens the chat, or set HOLDPOINT_URL and HOLDPOINT_TOKEN.',
  );
}

export async function findPersonAccess(call: CliCall): Promise<ServerAccess | undefined> {
  const { env } = call.terminal;
  const given = givenToken(call);
  const address = call.args.text('url') ?? nonEmpty(env['HOLDPOINT_URL']);
  if (given !== undefined) {
    const url = address === undefined ? localUrl(call.terminal) : checkAddress(call, address);
    return { url, ...given, isLogin: false };
  }
  return loginAccess(
    call.terminal,
    address === undefined ? undefined : checkAddress(call, address),
  );
}

/** The login, if there is one and it is for this server. */
export async function loginAccess(
  terminal: Terminal,
  url: string | undefined,
): Promise<ServerAccess | undefined> {
  const login = await readLogin(terminal);
  if (login === undefined || (url !== undefined && !isSameServer(login.url, url))) return undefined;
  if (login.expiresAt <= terminal.now()) {
    throw new CliError(
      `The login for ${login.url} has expired. Run \`holdpoint login\` with a new link.`,
      EXIT.refused,
      'unauthenticated',
    );
  }
  return { url: login.url, token: login.token, from: 'holdpoint login', isLogin: true };
}

function isSameServer(one: string, other: string): boolean {
  return new URL(one).href.replace(/\/+$/, '') === new URL(other).href.replace(/\/+$/, '');
}

export function transportOf(
  { url, token }: ServerAccess,
  { fetch }: Pick<Terminal, 'fetch'>,
): HttpTransport {
  return new HttpTransport({ url, token, fetch });
}

/** Requests that the transport has no method for. */
export function httpCallsOf({ url, token }: ServerAccess, { fetch }: Terminal): HttpCalls {
  return new HttpCalls({
    base: url.replace(/\/+$/, ''),
    fetch,
    tokens: new TokenSource(token),
    chance: Math.random,
    closing: new AbortController().signal,
  });
}

function givenToken({ args, terminal, err }: AccessCall) {
  const option = args.text('token');
  if (option !== undefined) {
    err?.print({
      text: 'A token in the arguments is visible to every user of this machine in the list of processes; HOLDPOINT_TOKEN is not.',
      style: 'yellow',
    });
    return { token: checkToken(option, '--token'), from: '--token' };
  }
  const variable = nonEmpty(terminal.env['HOLDPOINT_TOKEN']);
  if (variable === undefined) return undefined;
  return { token: checkToken(variable, 'HOLDPOINT_TOKEN'), from: 'HOLDPOINT_TOKEN' };
}

/** A header cannot have other characters, and `fetch` would fail with a sentence about bytes. */
function checkToken(token: string, name: string): string {
  const text = token.trim();
  if (/^[\x21-\x2b\x2d-\x7e]{1,4096}$/.test(text)) return text;
  throw usageError(`${name} is not a credential: it has characters that no key or token has.`);
}

function checkAddress({ args }: Pick<AccessCall, 'args'>, text: string): string {
  const name = args.has('url') ? '--url' : 'HOLDPOINT_URL';
  try {
    return parseServerAddress(text, name);
  } catch (cause) {
    throw cause instanceof ClientError ? usageError(cause.message) : cause;
  }
}

function isLocalAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

function noCredential(message: string): CliError {
  return new CliError(`${message} \`holdpoint doctor\` says what is there.`, EXIT.usage, 'usage');
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return nonEmpty((await readFile(file, 'utf8')).trim());
  } catch {
    return undefined;
  }
}

/** An empty environment variable counts as missing. */
export function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}
