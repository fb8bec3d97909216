import { spawn } from 'node:child_process';
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
