/** The receiver of docs/webhooks.md, run as it is printed. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { freePort } from '../../scripts/lib/ports.ts';
import { ask } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { until } from '../support/until.ts';

const server = await startServer({ HOLDPOINT_PRIVATE_TOOLS: '1' }, { allowPrivateNetwork: true });
const page = readFileSync(path.join(ROOT, 'docs/webhooks.md'), 'utf8');
const [, program = ''] = /```js\n([\s\S]+?)```/.exec(page) ?? [];
// Beside the tests, so that it finds the package it imports.
const file = path.join(ROOT, 'test/server', `.receiver-${process.pid}.mjs`);
writeFileSync(file, program);
afterAll(() => rmSync(file, { force: true }));

it('[OUT-1, OUT-4] verifies what it gets, and answers', async () => {
  const port = await freePort();
  const json = { type: 'webhook', url: `http://127.0.0.1:${port}/`, audience: 'Policy service' };
  const made = await ask(server, { method: 'POST', path: '/v1/targets', json });
  const { secret } = made as { secret: string };
  const receiver = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: String(port), TARGET_SECRET: secret },
    stdio: 'inherit',
  });
  onTestFinished(() => void receiver.kill());
  const agent = await keyWith('agent', 'read');
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'guide' } });
  for (const [command, outcome] of [
    ['ls', 'approved'],
    ['rm -rf /', 'denied'],
  ] as const) {
    const toolCallId = `call-${outcome}`;
    const path = '/v1/sessions/guide/interactions';
    const opened = { kind: 'approval', toolCallId, toolName: 'Bash', input: { command } };
    await ask(server, { method: 'POST', path, json: opened, token: agent });
    const at = `${path}/${toolCallId}~1`;
    const record = await until(async () => {
      const reply = await ask(server, { method: 'GET', path: at });
      const found = reply.interaction as unknown as { outcome: string | null };
      return found.outcome !== null && found;
    });
    expect(record).toMatchObject({ outcome, settledBy: { subject: 'Policy service' } });
  }
  const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
  expect(forged.status).toBe(401);
});
