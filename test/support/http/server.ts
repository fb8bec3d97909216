/**
 * The built bundle under plain workerd, over a temporary folder: for one test file, or shared by the files of a process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import {
  type RunningWorkerd,
  type WorkerdOptions,
  startWorkerd,
} from '../../../scripts/workerd.ts';

export const SECRET = 'test-secret-that-is-long-enough-000000';
export const ADMIN_KEY = 'test-admin-key-000000000000000000000000';
export const BINDINGS = {
  HOLDPOINT_SECRET: SECRET,
  HOLDPOINT_ADMIN_KEY: ADMIN_KEY,
  HOLDPOINT_RATE_LIMIT: '0',
};

/** Text that the runtime prints when code failed; a refusal prints nothing. */
const FAILURE = /uncaught|exception|"level":"warn"|fatal|segfault|\*\*\*/i;

export interface Server {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Of the current process. */
  pid(): number;
  /** The output of all processes so far. */
  output(): string;
  /** Stops or kills the process, and starts another over the same folder on the same port. */
  restart(how: 'stop' | 'kill', whileDown?: () => Promise<void>): Promise<void>;
  /** Fails unless the current process runs. */
  expectRunning(): Promise<void>;
  /** Also fails if the process printed an error. */
  expectUnharmed(): Promise<void>;
}

type Bindings = Record<string, string>;
type More = Pick<WorkerdOptions, 'allowPrivateNetwork' | 'pushService'>;

/** Stopped when the file ends. */
export async function startServer(bindings: Bindings = {}, more: More = {}): Promise<Server> {
  const server = await launch(bindings, more);
  afterAll(() => server.end());
  return server;
}

/** Without what tells of other files: the output, the process and its data. */
export type SharedServer = Omit<Server, 'output' | 'pid' | 'dataDir'>;

const shared = new Map<string, Promise<Launched>>();

/**
 * Shared by the files of this process that ask for the same bindings, which run one after another: a start costs as much
 * as all tests of many a file. Such a file uses ids of its own, and expects nothing of whole lists.
 */
export async function sharedServer(bindings: Bindings = {}): Promise<SharedServer> {
  const key = JSON.stringify(bindings);
  const started = shared.get(key) ?? launchForProcess(bindings);
  shared.set(key, started);
  const server = await started;
  await server.expectRunning();
  const before = server.output().length;
  return {
    ...server,
    async expectUnharmed() {
      await server.expectRunning();
      expect(server.output().slice(before)).not.toMatch(FAILURE);
    },
  };
}

async function launchForProcess(bindings: Bindings): Promise<Launched> {
  const server = await launch(bindings, {});
  process.once('exit', () => server.endAtOnce());
  return server;
}

interface Launched extends Server {
  end(): Promise<void>;
  /** For a process that exits, which waits for nothing. */
  endAtOnce(): void;
}

async function launch(bindings: Bindings, more: More): Promise<Launched> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-http-'));
  const options = {
    ...more,
    dataDir,
    bindings: { ...BINDINGS, ...bindings },
  };
  let running: RunningWorkerd = await startWorkerd(options);
  const { url, port } = running;
  let printed = '';
  let isUp = true;
  const watch = (started: RunningWorkerd) =>
    void started.exited.then(() => {
      if (started === running) isUp = false;
    });
  watch(running);
  const output = () => printed + running.output();
  const expectRunning = async () => {
    const health = await fetch(`${url}/health`, { signal: AbortSignal.timeout(30_000) });
    expect(health.status).toBe(200);
    expect(isUp, 'the process that was started still runs').toBe(true);
  };
  const removeData = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  return {
    url,
    port,
    dataDir,
    async end() {
      await running.kill();
      removeData();
    },
    endAtOnce() {
      if (isUp) process.kill(running.pid, 'SIGKILL');
      removeData();
    },
    pid: () => running.pid,
    output,
    async restart(how, whileDown = async () => undefined) {
      await (how === 'kill' ? running.kill() : running.stop());
      printed += running.output();
      await whileDown();
      running = await startWorkerd({ ...options, port });
      isUp = true;
      watch(running);
    },
    expectRunning,
    async expectUnharmed() {
      await expectRunning();
      expect(output()).not.toMatch(FAILURE);
    },
  };
}
