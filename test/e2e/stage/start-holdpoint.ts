/**
 * Holdpoint as a newcomer runs it: `npm start` on a free port, with its own folder.
 *
 * Its secrets come from the environment, so that no run touches the developer's `.dev.vars`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { freePort } from '../../../scripts/lib/ports.ts';

/** The facts of a server that a story needs; they can be sent to another process. */
export interface RunningServer {
  readonly url: string;
  /** The output of `npm run link`: it opens the chat signed in. */
  readonly link: string;
  readonly adminKey: string;
}

export interface Holdpoint extends RunningServer {
  /** Sends SIGKILL to the server and to its start script, like a power cut. */
  kill(): Promise<void>;
  /** Suspends the processes with every connection open, until they are resumed. */
  freeze(): void;
  thaw(): void;
  /** Runs `npm start` again, on the same port and data. */
  startAgain(): Promise<void>;
  /** Stops the server and removes its data. */
  stop(): Promise<void>;
}

const START_MS = 60_000;

export async function startHoldpoint(settings: Record<string, string> = {}): Promise<Holdpoint> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-e2e-'));
  const adminKey = randomBytes(32).toString('base64url');
  const env = {
    ...withoutModel(process.env),
    HOLDPOINT_SECRET: randomBytes(32).toString('base64url'),
    HOLDPOINT_ADMIN_KEY: adminKey,
    HOLDPOINT_DATA: dataDir,
    // The models, providers and receivers of stories are on this machine.
    HOLDPOINT_PRIVATE_TOOLS: '1',
    // Stories create more work in a second than an agent does.
    HOLDPOINT_SESSION_LIMIT: '0',
    PORT: String(await freePort()),
    ...settings,
  };
  let npm = spawnNpmStart(env);
  await greeted(npm);
  const link = printedLink(env);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processesOf(dataDir)) process.kill(pid, name);
  };
  const kill = async () => {
    signal('SIGKILL');
    if (npm.exitCode === null) await once(npm, 'exit');
  };
  return {
    url: new URL(link).origin,
    link,
    adminKey,
    kill,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async startAgain() {
      npm = spawnNpmStart(env);
      await greeted(npm);
    },
    async stop() {
      await kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A developer's own API key would replace the demo model by a real one. */
function withoutModel(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !/^(ANTHROPIC|HOLDPOINT)_/.test(name));
  return Object.fromEntries(kept);
}

function spawnNpmStart(env: NodeJS.ProcessEnv): ChildProcess {
  return spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function greeted(npm: ChildProcess): Promise<void> {
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && npm.exitCode === null) {
    if (printed.includes('Ctrl-C stops it.')) return;
    await sleep(50);
  }
  throw new Error(`npm start did not serve:\n${printed}`);
}

/** Without a terminal, `npm start` prints no link. */
function printedLink(env: NodeJS.ProcessEnv): string {
  const { stdout, stderr } = spawnSync('npm', ['run', '--silent', 'link'], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  const link = /^http:\S+#token=\S+$/m.exec(stdout)?.[0];
  if (link === undefined) throw new Error(`npm run link printed no link:\n${stdout}${stderr}`);
  return link;
}

/** The script and its workerd, whose ids are in the data folder. */
function processesOf(dataDir: string): readonly number[] {
  const holders = JSON.parse(readFileSync(path.join(dataDir, 'lock'), 'utf8')) as { pid: number }[];
  return holders.map(({ pid }) => pid);
}
