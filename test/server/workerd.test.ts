import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { processIdentity } from '../../scripts/lib/process-identity.ts';
import { type WorkerdOptions, startWorkerd } from '../../scripts/workerd.ts';

const BINDINGS = {
  HOLDPOINT_SECRET: 'test-secret-that-is-long-enough-000000',
  HOLDPOINT_ADMIN_KEY: 'test-admin-key-000000000000000000000000',
};

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-workerd-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function start(options: Partial<WorkerdOptions> = {}) {
  const server = await startWorkerd({ dataDir: temporaryFolder(), bindings: BINDINGS, ...options });
  onTestFinished(async () => {
    await server.kill();
  });
  return server;
}

it('serves the bundle, stops when asked, and comes back on the same port after kill -9', async () => {
  const dataDir = temporaryFolder();
  const first = await start({ dataDir });
  expect((await fetch(`${first.url}/health`)).status).toBe(200);
  expect(await first.kill()).toEqual({ code: null, signal: 'SIGKILL' });

  const second = await start({ dataDir, port: first.port });
  expect(second.url).toBe(first.url);
  expect(await second.stop()).toEqual({ code: 0, signal: null });
  expect(await second.exited).toEqual({ code: 0, signal: null });
});

it('reports why a server did not start, when another server answers on that port', async () => {
  const { port } = await start();
  await expect(start({ port })).rejects.toThrow(/ended .* before it served[^]*already in use/i);
});

it('leaves no server behind when the process that started it is killed', async () => {
  const script = `
    import { startWorkerd } from ${JSON.stringify(path.resolve('scripts/workerd.ts'))};
    const { pid } = await startWorkerd(${JSON.stringify({ dataDir: temporaryFolder(), bindings: BINDINGS })});
    console.log(pid);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [line] = await once(parent.stdout, 'data');
  const pid = Number(line);
  expect(processIdentity(pid)).toBeDefined();
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  for (let tries = 0; tries < 100 && processIdentity(pid) !== undefined; tries++) await sleep(20);
  expect(processIdentity(pid)).toBeUndefined();
});

it('[OPS-2] leaves no server behind when the process that started it is killed at the very start', async () => {
  const dataDir = temporaryFolder();
  // The first program that is started is the last act of this process.
  const script = `
    import processes from 'node:child_process';
    import { syncBuiltinESMExports } from 'node:module';
    const { spawn } = processes;
    processes.spawn = (...args) => {
      spawn(...args);
      process.kill(process.pid, 'SIGKILL');
    };
    syncBuiltinESMExports();
    const { startWorkerd } = await import(${JSON.stringify(path.resolve('scripts/workerd.ts'))});
    await startWorkerd(${JSON.stringify({ dataDir, bindings: BINDINGS })});
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [, signal] = await once(parent, 'exit');
  expect(signal).toBe('SIGKILL');
  await expect.poll(() => programsWith(path.join(dataDir, 'workerd.capnp'))).toEqual([]);
});

/** The command lines that name a file. */
function programsWith(file: string): string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' });
  expect(stdout).toContain('ps -A -o args=');
  return stdout.split('\n').filter((line) => line.includes(file));
}
