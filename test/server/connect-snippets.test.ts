/** What the screen that connects an agent says to paste works, word for word, and its question reaches a person. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.ts';
import { HttpTransport } from '../../src/client/index.ts';
import { CONNECTABLE_AGENTS, type Snippet } from '../../src/web/model/agent-snippets.ts';
import { bundleExample } from '../support/bundle-example.ts';
import { COMPILED } from '../support/cli.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, startServer } from '../support/http/server.ts';
import { exchange } from '../support/mcp-wire.ts';
import { inLongRun } from '../support/run-length.ts';

const server = await startServer();
const person = new HttpTransport({ url: server.url, token: ADMIN_KEY });

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdpoint-connect-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function snippetsOf(id: string): Promise<readonly Snippet[]> {
  const agent = CONNECTABLE_AGENTS.find((one) => one.id === id);
  if (agent === undefined) throw new Error(`The screen has no ${id}`);
  return agent.snippets({ url: server.url, key: await keyWith('agent'), session: `try-${id}` });
}

/** Runs the lines in one shell, as a person who pastes them: in this repository, with the home folder of a stranger. */
function paste(lines: readonly string[], home: string, cwd = ROOT) {
  const programs = path.join(home, 'programs');
  mkdirSync(programs, { recursive: true });
  writeFileSync(path.join(programs, 'make'), '#!/bin/sh\necho "made $1"\n', { mode: 0o755 });
  const env = {
    PATH: [programs, path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
    HOME: home,
    ...COMPILED,
  };
  const child = spawn('sh', ['-c', lines.join('\n')], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
}

const answered = new Set<string>();

/** Approves the next interaction; the inbox lists an answered one for a moment. */
async function approveNext(): Promise<string> {
  const { sessionId, interactionId, toolName } = await vi.waitFor(
    async () => {
      const { interactions } = await person.inbox();
      const entry = interactions.find(({ sessionId: id }) => !answered.has(id));
      if (entry === undefined) throw new Error('No agent asks');
      return entry;
    },
    { timeout: 30_000, interval: 50 },
  );
  answered.add(sessionId);
  await person.answer(sessionId, interactionId, { decision: 'approve' });
  return toolName;
}

const textOf = (snippets: readonly Snippet[], label: string) =>
  snippets.find((one) => one.label === label)?.text ?? '';

it('[UI-15] has a test for each agent', () => {
  expect(CONNECTABLE_AGENTS.map(({ id }) => id)).toEqual([
    'claude-code',
    'codex',
    'mcp',
    'agent-sdk',
    'typescript',
    'command-line',
    'curl',
  ]);
});

inLongRun(() => {
  it('[UI-15] agent-sdk: the program waits, and goes on with the approval', async () => {
    const folder = temporaryFolder();
    const snippets = await snippetsOf('agent-sdk');
    writeFileSync(path.join(folder, 'agent.mjs'), textOf(snippets, 'agent.mjs'));
    const sdk = path.join(ROOT, 'test/support/fake-claude-sdk.ts');
    const alias = { '@anthropic-ai/claude-agent-sdk': sdk };
    const bundle = await bundleExample(path.join(folder, 'agent.mjs'), { alias });
    onTestFinished(bundle.remove);
    const ended = paste([snippets[0]?.text ?? '', `node ${bundle.file}`], folder);
    await approveNext();
    const { code, output } = await ended;
    expect(output).toContain('allow Create the file hello.txt');
    expect(code).toBe(0);
  });

  it('[UI-15] typescript: the package is built and installed by the lines, and the program waits', async () => {
    const folder = temporaryFolder();
    const [inTerminal, build, program] = await snippetsOf('typescript');
    const built = await paste([build?.text ?? ''], folder);
    const install = /^ *(npm install .+)$/m.exec(built.output)?.[1] ?? '';
    expect(await paste([install], folder, folder)).toMatchObject({ code: 0 });
    writeFileSync(path.join(folder, 'deploy.mjs'), program?.text ?? '');
    const ended = paste([inTerminal?.text ?? '', 'node deploy.mjs'], folder, folder);
    await approveNext();
    const { code, output } = await ended;
    expect(output).toContain("running { command: 'make deploy' }");
    expect(code).toBe(0);
  });
});

it.each([
  ['claude-code', '.claude/settings.json', '"permissionDecision":"allow"'],
  ['codex', '.codex/hooks.json', '"permissionDecision":"allow"'],
])('[UI-15] %s: the hooks are written without the key, and ask', async (id, file, printed) => {
  const home = temporaryFolder();
  const snippets = await snippetsOf(id);
  const key = /HOLDPOINT_TOKEN=(\S+)/.exec(snippets[0]?.text ?? '')?.[1] ?? '';
  const lines = snippets.map(({ text }) => text);
  // Without a terminal the command changes nothing before it is told so.
  const connected = await paste([...lines.slice(0, -1), `${lines.at(-1)} --yes`], home);
  expect(connected).toMatchObject({ code: 0 });
  const settings = readFileSync(path.join(home, file), 'utf8');
  expect(settings).toContain('hook');
  expect(settings).not.toContain(key);
  const call = {
    session_id: `conversation-${id}`,
    cwd: home,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'make deploy' },
    tool_use_id: 'toolu_1',
  };
  writeFileSync(path.join(home, 'hook.json'), JSON.stringify(call));
  // Without the variables: the hook reads the kept key.
  const hook = `npm run --silent holdpoint -- hook ${id} < ${path.join(home, 'hook.json')}`;
  const ended = paste([hook], home);
  await approveNext();
  const { code, output } = await ended;
  expect(output).toContain(printed);
  expect(code).toBe(0);
});

inLongRun(() => {
  it('[UI-15] mcp: a client with these settings asks', async () => {
    const [settings] = await snippetsOf('mcp');
    const { mcpServers } = JSON.parse(settings?.text ?? '') as {
      mcpServers: { holdpoint: { url: string; headers: { Authorization: string } } };
    };
    const { url, headers } = mcpServers.holdpoint;
    expect(url).toBe(`${server.url}/mcp`);
    const args = { tool_name: 'Bash', input: { command: 'make deploy' }, tool_use_id: 'toolu_2' };
    const asked = exchange(server, {
      era: 'modern',
      token: headers.Authorization.replace('Bearer ', ''),
      method: 'tools/call',
      params: { name: 'approve', arguments: args },
    });
    expect(await approveNext()).toBe('Bash');
    expect((await asked).text).toContain('allow');
  });
});

it('[UI-15] command-line: the command runs after the approval', async () => {
  const snippets = await snippetsOf('command-line');
  const ended = paste(
    snippets.map(({ text }) => text),
    temporaryFolder(),
  );
  expect(await approveNext()).toBe('Bash');
  const { code, output } = await ended;
  expect(output).toContain('made deploy');
  expect(code).toBe(0);
});

it('[UI-15] curl: the request returns with the approval', async () => {
  const snippets = await snippetsOf('curl');
  const ended = paste(
    snippets.map(({ text }) => text),
    temporaryFolder(),
  );
  await approveNext();
  const { code, output } = await ended;
  expect(output).toContain('"behavior":"allow"');
  expect(code).toBe(0);
});
