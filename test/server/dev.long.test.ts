/** Without a network, wrangler cannot reach some addresses; a newcomer must not see stack traces for that. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { freePort } from '../../scripts/lib/ports.ts';
import { BINDINGS } from '../support/http/server.ts';

it('npm run dev gets as far as serving, with no stack trace and no notice, online or not', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-dev-'));
  const args = ['scripts/dev.ts', '--port', String(await freePort()), '--persist-to', folder];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    // With the secrets in the environment, the script writes no .dev.vars into the repository.
    env: { ...process.env, ...BINDINGS },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  while (!output.includes('Ready on') && child.exitCode === null) await sleep(50);
  expect(output).toContain('Ready on');
  expect(output).not.toMatch(/^\s+at |Error:|warn|update available/im);
}, 60_000);
