/**
 * `holdpoint login`: stores a credential of a person for this machine.
 *
 * The credential that the person gives is exchanged for a token of its own, so that answers say that they came from the
 * command line, and so that the login can be revoked by itself.
 */
import { createInterface } from 'node:readline';
import { parseServerAddress } from '../../client/agent/connect.ts';
import { ClientError } from '../../client/errors.ts';
import { type HttpCalls, readPart } from '../../client/requests/http-calls.ts';
import { agentShellOf } from '../agent-shell.ts';
import { type CliCall, type CliAction, readStdin } from '../cli-command.ts';
import { CliError, EXIT, usageError } from '../exit-code.ts';
import { isRefusedWith } from '../find-session.ts';
import { writeLogin } from '../credential-files.ts';
import { httpCallsOf, localUrl, nonEmpty } from '../server-access.ts';
import { describeSpan } from '../show-table.ts';

const LOGIN_SCOPES = ['read', 'answer', 'send'];
const THIRTY_DAYS = 30 * 24 * 3_600;
const MAX_CREDENTIAL_BYTES = 65_536;

export const login: CliAction = async (call) => {
  const { terminal, out, isJson } = call;
  const agent = agentShellOf(terminal.env);
  if (agent !== undefined) {
    throw new CliError(
      `This shell belongs to ${agent}, and a login is a person's. Log in from a terminal of your own.`,
      EXIT.refused,
      'forbidden',
    );
  }
  const { url, token } = parseGiven(call, await readCredential(call));
  const access = { url, token, from: 'the given credential', isLogin: false };
  const calls = httpCallsOf(access, terminal);
  const reply = await exchange(calls);
  const expiresAt = readPart<number>(reply, 'expiresAt');
  const id = readPart<string>(reply, 'id');
  const fresh = readPart<string>(reply, 'token');
  const file = await writeLogin(terminal, { url, token: fresh, id, expiresAt });
  if (isJson) out.json({ url, id, expiresAt, file });
  else {
    const left = describeSpan(expiresAt - terminal.now());
    out.print(`Logged in to ${url} for ${left}. The token is in ${file}.`);
  }
  return EXIT.ok;
};

/** As many of the scopes as the credential has. */
async function exchange(calls: HttpCalls) {
  const mint = (scopes: readonly string[]) =>
    calls.post('/v1/tokens', { scopes, ttlSeconds: THIRTY_DAYS, client: 'cli' });
  try {
    return await mint(LOGIN_SCOPES);
  } catch (cause) {
    if (!isRefusedWith(cause, 'forbidden') || !Array.isArray(cause.details?.scopes)) throw cause;
    const lacking = cause.details.scopes;
    const rest = LOGIN_SCOPES.filter((scope) => !lacking.includes(scope));
    if (rest.length === 0 || rest.length === LOGIN_SCOPES.length) throw cause;
    return mint(rest);
  }
}

async function readCredential(call: CliCall): Promise<string> {
  const { args, terminal, err } = call;
  const [given, more] = args.positionals;
  if (more !== undefined) throw usageError('Give one link, or type it when asked.');
  if (given !== undefined && given.includes('#')) {
    err.print({
      text: 'A link in the arguments is visible in the list of processes and stays in the history of the shell.',
      style: 'yellow',
    });
    return given;
  }
  if (terminal.stdin.isTTY !== true) {
    return (await readStdin(terminal, MAX_CREDENTIAL_BYTES))?.trim() ?? '';
  }
  err.prompt('Link or token of a person (`npm run link` prints a link): ');
  const lines = createInterface({ input: terminal.stdin, terminal: false });
  try {
    const line = await lines[Symbol.asyncIterator]().next();
    return line.done === true ? '' : line.value.trim();
  } finally {
    lines.close();
  }
}

/** A link has both; with a token alone, the address is an argument or in the environment. */
function parseGiven({ args, terminal }: CliCall, text: string): { url: string; token: string } {
  const [address = '', fragment] = text.split('#');
  const isLink = fragment !== undefined;
  const token = isLink ? (new URLSearchParams(fragment).get('token') ?? '') : text;
  if (!/^[\x21-\x2b\x2d-\x7e]{1,4096}$/.test(token)) {
    throw usageError(
      'That is neither a link with #token=… nor a token. `npm run link` on the server prints a link.',
    );
  }
  const named = args.text('url') ?? args.positionals.find((one) => !one.includes('#'));
  const server = isLink
    ? serverOfLink(address)
    : (named ?? nonEmpty(terminal.env['HOLDPOINT_URL']) ?? localUrl(terminal));
  try {
    return { url: parseServerAddress(server, 'The address').replace(/\/+$/, ''), token };
  } catch (cause) {
    throw cause instanceof ClientError ? usageError(cause.message) : cause;
  }
}

/** A link leads to the chat or to the inbox of a server. */
function serverOfLink(address: string): string {
  if (!URL.canParse(address)) throw usageError('The link has no address before #token=….');
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/(inbox\/?)?$/, '');
}
