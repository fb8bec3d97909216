/**
 * Starts `npm start` as a newcomer would, with data in a temporary folder, and takes one approval through it; then
 * starts it again, finds the approval still there, and opens the chat by the link that was printed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from './lib/paths.ts';
import { freePort } from './lib/ports.ts';

const ADMIN_KEY = 'smoke-admin-key-0000000000000000000000000';
const START_MS = 60_000;
const STOP_MS = 10_000;

const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-smoke-'));
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
  const interaction = await withServer(async (url) => {
    await call(url, 'POST', '/v1/sessions', { id: 'smoke' });
    const opened = await call(url, 'POST', '/v1/sessions/smoke/interactions', {
      kind: 'approval',
      toolCallId: 'smoke-1',
      toolName: 'Bash',
      input: { command: 'true' },
    });
    const at = `/v1/sessions/smoke/interactions/${pick(opened, 'interaction', 'interactionId')}`;
    await call(url, 'POST', `${at}/answer`, { decision: 'approve' });
    return at;
  });
  await withServer(async (url, greeting) => {
    await openChat(url, greeting);
    const outcome = pick(await call(url, 'GET', interaction), 'interaction', 'outcome');
    if (outcome !== 'approved') throw new Error(`after a restart the outcome is ${outcome}`);
  });
}

/** As a browser begins: the page of the link, its script, and what its token opens. */
async function openChat(url: string, greeting: string): Promise<void> {
  const token = /\/#token=(\S+)/.exec(greeting)?.[1];
  if (token === undefined) throw new Error(`the greeting has no link:\n${greeting}`);
  const page = await (await fetch(url)).text();
  const script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1];
  if (script === undefined) throw new Error(`the page has no script:\n${page}`);
  const { status } = await fetch(url + script);
  if (status !== 200) throw new Error(`${script} answered ${status}`);
  await call(url, 'GET', '/v1/sessions', undefined, token);
}

async function withServer<T>(work: (url: string, greeting: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(port),
      HOLDPOINT_DATA: dataDir,
      HOLDPOINT_SECRET: 'smoke-secret-0000000000000000000000000000',
      HOLDPOINT_ADMIN_KEY: ADMIN_KEY,
    },
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    const greeting = await greeted(child, exited);
    const result = await work(`http://127.0.0.1:${port}`, greeting);
    child.kill('SIGTERM');
    const code = await exited;
    if (code !== 0) throw new Error(`npm start ended with exit code ${code} after SIGTERM`);
    return result;
  } finally {
    // Gentle first: a killed start script leaves its workerd behind.
    child.kill('SIGTERM');
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exited;
    clearTimeout(force);
  }
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
  url: string,
  method: string,
  route: string,
  body?: unknown,
  token = ADMIN_KEY,
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
