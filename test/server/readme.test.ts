/** The first programs that a newcomer runs are those of the README and docs/agents.md: copied word for word, they work. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { HttpTransport } from '../../src/client/index.ts';
import { stepsOf } from '../guide/curl.ts';
import { bundleExample } from '../support/bundle-example.ts';
import { keyWith, personToken } from '../support/http/credentials.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';

const README = readPage('README.md');
const AGENTS = readPage('docs/agents.md');
const server = await startServer();
const person = new HttpTransport({ url: server.url, token: ADMIN_KEY });
const agentKey = await keyWith('agent');

function readPage(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

function writeProgram(page: string, name: string): string {
  const text = new RegExp(`\`${name}\`:\n\n\`\`\`js\n(.*?)\`\`\``, 's').exec(page)?.[1];
  if (text === undefined) throw new Error(`The page has no ${name}`);
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-readme-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

function run(file: string) {
  const env = { ...process.env, HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: agentKey };
  const child = spawn(process.execPath, [file], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
}

const waits = (toolCallId: string) =>
  vi.waitFor(
    async () => {
      const { interactions } = await person.inbox();
      expect(interactions.map((interaction) => interaction.toolCallId)).toContain(toolCallId);
    },
    { timeout: 30_000, interval: 50 },
  );

it('the agent over plain HTTP waits, and continues with the answer that a person sends by curl', async () => {
  const ended = run(writeProgram(AGENTS, 'agent.mjs'));
  await waits('call_1');
  const commands = /```sh\n(curl \$HOLDPOINT_URL\/v1\/inbox.*?)```/s.exec(AGENTS)?.[1] ?? '';
  const variables = {
    HOLDPOINT_URL: server.url,
    HOLDPOINT_TOKEN: await personToken('read', 'answer', 'send'),
  };
  const steps = stepsOf(commands, variables);
  expect(steps).toHaveLength(2);
  for (const step of steps) {
    if (!('url' in step)) throw new Error('The page sleeps');
    const { status } = await fetch(step.url, step.init);
    expect(status).toBe(200);
  }
  const { code, output } = await ended;
  expect(code).toBe(0);
  expect(AGENTS).toContain(output);
});

it('the agent of the client library waits for the chat', async () => {
  const { file, remove } = await bundleExample(writeProgram(README, 'deploy.mjs'));
  onTestFinished(remove);
  const ended = run(file);
  await waits('deploy-42');
  await person.approveTool('demo', 'deploy-42');
  expect(await ended).toEqual({ code: 0, output: "running { command: 'make deploy' }\n" });
});
