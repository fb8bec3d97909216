/**
 * [HOOK-5] `holdpoint hook` as the one file that `holdpoint connect` installs: a call that needs no person costs one request.
 *
 * A bug here looks like an agent whose every tool call waits for a program that loads, or for requests in a row.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bundleHook } from '../../scripts/lib/bundle-hook.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { emptyFolder } from '../support/cli.ts';
import { ask } from '../support/http/call.ts';
import { ADMIN_KEY } from '../support/http/server.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const token = await keyWith('agent');
const { fetch = globalThis.fetch } = server;
let conversations = 0;

const CALL = {
  prompt_id: 'p',
  cwd: '/w/app',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: 'toolu_1',
  tool_input: { command: 'make deploy' },
};

async function readBody(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The server behind an address that counts what it is asked, and can be away. */
async function startFront() {
  const requests: string[] = [];
  let away = 0;
  const front = createServer((request, response) => {
    void forward(request).then(
      ({ status, text }) =>
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(text),
      () => response.destroy(),
    );
  });
  async function forward(request: IncomingMessage) {
    const { method = 'GET', url = '/', headers } = request;
    requests.push(`${method} ${url.replace(/\?.*/, '')}`);
    const body = await readBody(request);
    if (away > 0) {
      away -= 1;
      throw new Error('The server is away');
    }
    const reply = await fetch(new URL(url, server.url), {
      method,
      headers: {
        Authorization: headers.authorization ?? '',
        'Content-Type': 'application/json',
        ...(headers.prefer !== undefined && { Prefer: String(headers.prefer) }),
      },
      ...(body.length > 0 && { body }),
    });
    return { status: reply.status, text: await reply.text() };
  }
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  onTestFinished(() => {
    front.closeAllConnections();
    front.close();
  });
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    requests,
    leave: (count: number) => (away = count),
  };
}

async function startHook(url: string, body: JsonObject) {
  conversations += 1;
  const id = `process-${conversations}`;
  const folder = emptyFolder();
  const file = path.join(folder, 'hook.mjs');
  await bundleHook(file);
  const args = [file, 'hook', 'claude-code', '--wait', '60'];
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    HOLDPOINT_URL: url,
    HOLDPOINT_TOKEN: token,
  };
  const child = spawn(process.execPath, args, { cwd: folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stdin.end(JSON.stringify({ session_id: id, ...body }));
  return { file, session: `claude-code:${id}`, ended: once(child, 'close').then(() => out) };
}

const decisionOf = (out: string) =>
  (JSON.parse(out) as { hookSpecificOutput: JsonObject }).hookSpecificOutput;

async function answerNext(session: string, json: JsonObject) {
  const at = `/v1/sessions/${session}/interactions`;
  const id = await vi.waitFor(
    async () => {
      const { interactions } = await ask(server, { method: 'GET', path: at });
      const [one] = interactions as JsonObject[];
      expect(one).toMatchObject({ agentWaiting: true });
      return one?.interactionId as string;
    },
    { timeout: 20_000 },
  );
  await ask(server, { method: 'POST', path: `${at}/${id}/answer`, json });
}

it('[HOOK-5] an allowed call, a turn end and a report are one request each, of one file', async () => {
  const rule = { effect: 'allow', toolName: 'Bash', command: 'make deploy', reason: 'test' };
  await ask(server, { method: 'POST', path: '/v1/rules', json: rule, token: ADMIN_KEY });
  const front = await startFront();
  const call = await startHook(front.url, CALL);
  expect(decisionOf(await call.ended)).toMatchObject({ permissionDecision: 'allow' });
  for (const hook_event_name of ['Stop', 'PostToolUse']) {
    const { ended } = await startHook(front.url, { ...CALL, hook_event_name });
    expect(await ended).toBe('{}\n');
  }
  expect(front.requests).toEqual(Array(3).fill('POST /v1/hooks/claude-code'));
  const text = readFileSync(call.file, 'utf8');
  const imported = [...text.matchAll(/(?:^import\b.*?from |\bimport\()"([^"]+)"/gm)].map(
    ([, one]) => one,
  );
  expect(imported.filter((name) => name?.startsWith('node:') !== true)).toEqual([]);
  expect(statSync(call.file).size).toBeLessThan(300_000);
});

it.each([
  ['PreToolUse', 'permissionDecision'],
  ['PermissionRequest', 'decision'],
])(
  '[HOOK-5] %s that a person decides is asked once, also if the server was away',
  async (event, name) => {
    const front = await startFront();
    front.leave(2);
    const body = { ...CALL, hook_event_name: event, tool_input: { command: `echo ${event}` } };
    const { ended, session } = await startHook(front.url, body);
    await answerNext(session, { decision: 'approve' });
    expect(JSON.stringify(decisionOf(await ended)[name])).toContain('allow');
    const { events } = await ask(server, { method: 'GET', path: `/v1/sessions/${session}/events` });
    const asked = (events as JsonObject[]).filter(({ type }) => type === 'interaction_request');
    expect(asked).toHaveLength(1);
  },
);

it('[HOOK-5] a refusal of the server is a denial in words', async () => {
  const front = await startFront();
  const { ended } = await startHook(front.url, { ...CALL, session_id: '..' });
  // Not a hook: exit code 2 and no output.
  expect(await ended).toBe('');
  const away = await startHook('ftp://127.0.0.1', CALL);
  expect(decisionOf(await away.ended)).toMatchObject({
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('not run'),
  });
});
