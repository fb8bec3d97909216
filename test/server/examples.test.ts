/** Runs every example unchanged against a real server, as a reader copies it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { startWorkerd } from '../../scripts/workerd.ts';
import { HttpTransport } from '../../src/client/index.ts';
import { bundleExample } from '../support/bundle-example.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';
import { inLongRun } from '../support/run-length.ts';

const server = await startServer();
// The scopes that `npm start` gives an agent.
const token = await keyWith('agent');
const person = new HttpTransport({ url: server.url, token: ADMIN_KEY });

/** The next open interaction of any session. */
const asked = (toolName: string) =>
  vi.waitFor(
    async () => {
      const { interactions } = await person.inbox();
      const found = interactions.find((interaction) => interaction.toolName === toolName);
      if (found === undefined) throw new Error(`Nobody asks about ${toolName}`);
      return found;
    },
    { timeout: 30_000, interval: 50 },
  );

async function run(file: string, ...args: string[]) {
  const env = { ...process.env, HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: token };
  const child = spawn(process.execPath, [file, ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close');
  return {
    kill: () => child.kill('SIGKILL'),
    async end() {
      const [code] = (await ended) as [number | null];
      return { code, output };
    },
  };
}

it('[INT-5, INT-8] the Node agent waits, is killed, comes back and receives the decision', async () => {
  const { file, remove } = await bundleExample('examples/node-agent/agent.ts');
  onTestFinished(remove);
  const first = await run(file);
  const { sessionId, interactionId } = await asked('Bash');
  first.kill();
  await first.end();
  await person.answer(sessionId, interactionId, { decision: 'approve' });
  const second = await run(file);
  expect(await second.end()).toEqual({
    code: 0,
    output: "running { command: 'make deploy' }\n",
  });
});

inLongRun(() => {
  it('[GATE-4] the Worker deploys an approved release, no denied release, and nothing without asking', async () => {
    const { file, remove } = await bundleExample('test/support/wrapped-worker.ts');
    onTestFinished(remove);
    const start = async (url: string) => {
      const dataDir = mkdtempSync(path.join(tmpdir(), 'holdpoint-worker-'));
      const worker = await startWorkerd({
        dataDir,
        bundle: { modules: [{ name: 'worker.js', kind: 'esModule', file }], durableObjects: [] },
        bindings: { HOLDPOINT_URL: url, HOLDPOINT_TOKEN: token },
        allowPrivateNetwork: true,
      });
      onTestFinished(async () => {
        await worker.kill();
        rmSync(dataDir, { recursive: true, force: true });
      });
      return worker.url;
    };
    const worker = await start(server.url);
    const post = (release: string, at = worker) => fetch(`${at}/${release}`, { method: 'POST' });

    // Two requests for the same release are one question.
    const good = [post('v1'), post('v1')];
    const first = await asked('deploy');
    await person.answer(first.sessionId, first.interactionId, { decision: 'approve' });
    for (const response of await Promise.all(good)) {
      expect(await response.json()).toEqual({ deployed: { release: 'v1' } });
    }
    const bad = post('v2');
    const second = await vi.waitFor(async () => {
      const found = await asked('deploy');
      expect(found.toolCallId).toBe('deploy-v2');
      return found;
    }, 30_000);
    await person.denyTool(second.sessionId, second.toolCallId, 'too early');
    const denied = await bad;
    expect(denied.status).toBe(403);
    expect(await denied.text()).toContain('too early');

    const nobody = await post('v3', await start('http://127.0.0.1:9'));
    expect(nobody.status).toBe(503);
  });
});

it('[GATE-2, STR-2] the Claude agent asks, shows the request, and goes on', async () => {
  const { file, remove } = await bundleExample('examples/claude-agent/agent.ts', {
    alias: {
      '@anthropic-ai/claude-agent-sdk': path.join(ROOT, 'test/support/fake-claude-sdk.ts'),
    },
  });
  onTestFinished(remove);
  const agent = await run(file, 'echo hello');
  const found = await vi.waitFor(async () => {
    const interaction = await asked('Bash');
    expect(interaction.toolCallId).toBe('toolu_fake');
    return interaction;
  }, 30_000);
  await person.approveTool(found.sessionId, found.toolCallId);
  expect(await agent.end()).toEqual({
    code: 0,
    output: 'waiting for Bash\napproved\nallow echo hello\n',
  });
});
