/**
 * A server for one test file: the built bundle under plain workerd, over a temporary folder, stopped when the file
 * ends.
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

export async function startServer(
  bindings: Record<string, string> = {},
  more: Pick<WorkerdOptions, 'allowPrivateNetwork'> = {},
): Promise<Server> {
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
  const watch = (process: RunningWorkerd) =>
    void process.exited.then(() => {
      if (process === running) isUp = false;
    });
  watch(running);
  afterAll(async () => {
    await running.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const output = () => printed + running.output();
  const expectRunning = async () => {
    const health = await fetch(`${url}/health`, { signal: AbortSignal.timeout(30_000) });
    expect(health.status).toBe(200);
    expect(isUp, 'the process that was started still runs').toBe(true);
  };
  return {
    url,
    port,
    dataDir,
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
