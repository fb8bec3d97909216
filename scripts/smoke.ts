/**
 * Runs `npm start` as a newcomer would, with data in a temporary folder. First off a terminal, as a service: an agent asks
 * with the variables of the greeting, and a person answers with the link of `npm run link`. Then on a terminal: the
 * printed link opens the chat, and the approval is still there.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTerminal } from './lib/shell-command.ts';
import { ROOT } from './lib/paths.ts';
import { freePort } from './lib/ports.ts';
import { DATA_FILES } from './lib/private-files.ts';

const START_MS = 60_000;
const STOP_MS = 10_000;

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-smoke-'));
const ENVIRONMENT = {
  ...process.env,
  HOLDPOINT_DATA: dataDir,
  HOLDPOINT_SECRET: 'smoke-secret-0000000000000000000000000000',
  HOLDPOINT_ADMIN_KEY: 'smoke-admin-key-0000000000000000000000000',
  HOLDPOINT_NAME: 'smoke',
};
try {
  await smoke();
  console.log('smoke: an approval was opened, answered, and found again after a restart');
} catch (error) {
  process.exitCode = 1;
  console.error(`smoke: ${error instanceof Error ? error.message : String(error)}`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

async function smoke(): Promise<void> {
  const interaction = await withServer('off a terminal', async (url, greeting) => {
    if (/#token=|hp_/.test(greeting)) throw new Error(`a secret is printed:\n${greeting}`);
    const agent = await pastedByAgent(url, greeting);
    await call(agent, 'POST', '/v1/sessions', { id: 'smoke' });
    const opened = await call(agent, 'POST', '/v1/sessions/smoke/interactions', {
      kind: 'approval',
      toolCallId: 'smoke-1',
      toolName: 'Bash',
      input: { command: 'true' },
    });
    const at = `/v1/sessions/smoke/interactions/${pick(opened, 'interaction', 'interactionId')}`;
    const link = (await printed(['npm', 'run', '--silent', 'link'])).trim();
    await call(personOf(url, link), 'POST', `${at}/answer`, { decision: 'approve' });
    return at;
  });
  await withServer('on a terminal', async (url, greeting) => {
    const person = personOf(url, greeting);
    await openChat(person);
    const outcome = pick(await call(person, 'GET', interaction), 'interaction', 'outcome');
    if (outcome !== 'approved') throw new Error(`after a restart the outcome is ${outcome}`);
  });
}

interface Caller {
  readonly url: string;
  readonly token: string;
}

/** Evaluates the line to paste in a shell, and returns its variables. */
async function pastedByAgent(url: string, greeting: string): Promise<Caller> {
  const line = /export HOLDPOINT_URL.*/.exec(greeting)?.[0];
  if (line === undefined) throw new Error(`nothing to paste for an agent:\n${greeting}`);
  const show = `printf '%s %s' "$HOLDPOINT_URL" "$HOLDPOINT_TOKEN"`;
  const [pastedUrl, token] = (await printed(['sh', '-c', `${line}; ${show}`])).split(' ');
  if (pastedUrl !== url || !token?.startsWith('hp_'))
    throw new Error(`${line} gives ${pastedUrl} and "${token}"`);
  return { url, token };
}

function personOf(url: string, text: string): Caller {
  const token = /\/#token=(\S+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`there is no link:\n${text}`);
  return { url, token };
}

/** Loads the chat as a browser would: the page of the link, its script, and a request with its token. */
async function openChat(person: Caller): Promise<void> {
  const page = await (await fetch(person.url)).text();
  const script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1];
  if (script === undefined) throw new Error(`the page has no script:\n${page}`);
  const { status } = await fetch(person.url + script);
  if (status !== 200) throw new Error(`${script} answered ${status}`);
  await call(person, 'GET', '/v1/sessions');
}

async function withServer<T>(
  where: 'on a terminal' | 'off a terminal',
  work: (url: string, greeting: string) => Promise<T>,
): Promise<T> {
  const port = await freePort();
  const start = ['npm', 'start'];
  const [command = '', ...args] = where === 'on a terminal' ? onTerminal(start) : start;
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...ENVIRONMENT, PORT: String(port) },
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    const greeting = await greeted(child, exited);
    const result = await work(`http://127.0.0.1:${port}`, greeting);
    await stop();
    const code = await exited;
    if (code !== 0) throw new Error(`npm start ended with exit code ${code} after SIGTERM`);
    return result;
  } finally {
    // SIGTERM first: a killed start script leaves its workerd behind.
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(force);
  }
}

/** Signals the script itself, as a supervisor does: a signal to npm ends only npm. */
async function stop(): Promise<void> {
  const holders: unknown = JSON.parse(readFileSync(path.join(dataDir, DATA_FILES.holders), 'utf8'));
  const [first] = Array.isArray(holders) ? (holders as { pid: number }[]) : [];
  if (first === undefined)
    throw new Error('the data folder does not name the process that uses it');
  process.kill(first.pid, 'SIGTERM');
}

function printed([command = '', ...args]: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd: ROOT, env: ENVIRONMENT }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} ${args.join(' ')}: ${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}

function greeted(child: ChildProcess, exited: Promise<number | null>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const late = setTimeout(() => reject(new Error(`no greeting in time:\n${output}`)), START_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes('Ctrl-C stops it.')) return;
      clearTimeout(late);
      resolve(output);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exited.then((code) => {
      clearTimeout(late);
      reject(new Error(`npm start ended (${code}):\n${output}`));
    });
  });
}

async function call(
  { url, token }: Caller,
  method: string,
  route: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(url + route, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

function pick(value: unknown, ...names: string[]): string {
  let at: unknown = value;
  for (const name of names) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined;
  }
  if (typeof at !== 'string') throw new Error(`no ${names.join('.')} in ${JSON.stringify(value)}`);
  return at;
}
