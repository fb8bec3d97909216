/**
 * [INT-17, LIM-1] Inputs that are too large for their record, over HTTP: asked, downloaded, exported, erased, and refused.
 *
 * A bug here looks like an agent whose write of a file is denied for ever, a person who approves what they could not read,
 * or an input that another session can read.
 */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { startCli } from '../support/cli.ts';
import { ask, send } from '../support/http/call.ts';
import { keyWith, sessionToken, sign } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';
import { countFor } from '../support/run-length.ts';

const server = await startRoutes();
const agent = await keyWith('agent');
let sessions = 0;
/** Far longer than anything takes here on a busy machine. */
const HANG_MS = 100_000;

/** Head and tail are shown, and what matters is between them. */
const FILE = `#!/bin/sh\n${'# comment\n'.repeat(15_000)}rm -rf / # hidden\n${'# more\n'.repeat(22_000)}`;
const INPUT = { content: FILE, file_path: 'deploy.sh' };

async function begin(): Promise<string> {
  sessions += 1;
  const id = `held-${sessions}`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id } });
  return `/v1/sessions/${id}`;
}

const call = (input: JsonObject = INPUT, more: JsonObject = {}): JsonObject => ({
  kind: 'approval',
  toolName: 'Write',
  toolCallId: 'call_1',
  input,
  ...more,
});

async function opened(path: string, json = call()): Promise<JsonObject> {
  const at = `${path}/interactions`;
  const { interaction } = await ask(server, { method: 'POST', path: at, json, token: agent });
  return interaction as JsonObject;
}

async function begun(json = call()): Promise<{ path: string; record: JsonObject; iid: string }> {
  const path = await begin();
  const record = await opened(path, json);
  return { path, record, iid: `${path}/interactions/${record.interactionId as string}` };
}

const download = (iid: string, token?: string) =>
  send(server, { method: 'GET', path: `${iid}/input`, ...(token !== undefined && { token }) });
const answer = (iid: string, json: JsonObject) =>
  send(server, { method: 'POST', path: `${iid}/answer`, json });

it('[INT-17] shows a view in the record, and has the whole input as a file', async () => {
  const { record, iid } = await begun();
  const shown = JSON.stringify(record);
  expect(shown.length).toBeLessThan(2 * LIMITS.inputViewBytes);
  expect(shown).toContain('#!/bin/sh');
  expect(shown).not.toContain('# hidden');
  const file = await download(iid);
  expect(file.status).toBe(200);
  expect(JSON.parse(file.text)).toEqual(INPUT);
  const { bytes, sha256 } = record.wholeInput as JsonObject;
  expect(Buffer.byteLength(file.text)).toBe(bytes);
  expect(createHash('sha256').update(file.text).digest('hex')).toBe(sha256);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/json',
    'content-disposition': 'attachment; filename="input.json"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
});

it('[INT-17] is approved with what was read, and leaves the input to the agent', async () => {
  const { iid } = await begun();
  const refused = await answer(iid, { decision: 'approve' });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect(refused.text).toContain('Part of this input is not shown');
  const given = await answer(iid, { decision: 'approve', read: 'whole' });
  expect(given.status).toBe(200);
  const { interaction } = await ask(server, { method: 'GET', path: iid, token: agent });
  const { reply, wholeInput, updatedInput } = interaction as JsonObject;
  expect(reply).toEqual({ behavior: 'allow', wholeInput });
  expect(updatedInput).toBeUndefined();
  expect(JSON.parse((await download(iid)).text)).toEqual(INPUT);
});

it('[INT-17] is downloaded with the scope read of its session alone', async () => {
  const { path, iid } = await begun();
  const other = await begun();
  const id = path.split('/').at(-1) ?? '';
  expect((await download(iid, await keyWith('read'))).status).toBe(200);
  expect((await download(iid, await sessionToken(id, 'read'))).status).toBe(200);
  const foreign: [string, number][] = [
    [await sign({ scopes: ['read'], workspace: 'other' }), 404],
    [await sessionToken(other.path.split('/').at(-1) ?? '', 'read'), 404],
    [await keyWith('agent'), 403],
    [await keyWith('answer', 'send'), 403],
  ];
  for (const [token, status] of foreign) {
    const reply = await download(iid, token);
    expect(reply.status).toBe(status);
    expect(reply.text).not.toContain('comment');
  }
});

it('[INT-17] has the file of a small input too, and none of an unknown interaction', async () => {
  const { path, iid } = await begun(call({ command: 'ls' }));
  expect((await download(iid)).text).toBe('{"command":"ls"}');
  expect((await download(`${path}/interactions/call_9~1`)).status).toBe(404);
});

it('[INT-17] leads from the inbox to the request, with no view', async () => {
  const { record } = await begun();
  const readEntry = async () => {
    const { interactions } = await ask(server, { method: 'GET', path: '/v1/inbox?limit=1000' });
    return (interactions as JsonObject[]).find(
      ({ inputDigest }) => inputDigest === record.inputDigest,
    );
  };
  await expect.poll(readEntry, { timeout: 20_000 }).toMatchObject({ request: null });
});

it('[INT-17] is in the export, and gone with its session', async () => {
  const { path, iid } = await begun();
  const { text } = await send(server, { method: 'GET', path: `${path}/export` });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonObject);
  const parts = lines.filter(({ input }) => typeof input === 'string');
  expect(parts).toMatchObject([{ interactionId: 'call_1~1', part: 0 }]);
  expect(JSON.parse(parts.map(({ input }) => input as string).join(''))).toEqual(INPUT);
  await send(server, { method: 'DELETE', path });
  expect((await download(iid)).status).toBe(404);
});

it('[INT-17] has a page of an answer link with the file, which asks what was read', async () => {
  const { iid } = await begun();
  const made = await ask(server, {
    method: 'POST',
    path: `${iid}/links`,
    json: { subject: 'mia' },
  });
  const link = new URL(made.url as string).pathname;
  const page = await send(server, {
    method: 'GET',
    path: link,
    token: null,
    headers: { Accept: 'text/html' },
  });
  expect(page.text).toContain('?download=input');
  expect(page.text).toMatch(/[\d,]+ characters of it are not shown here/);
  const file = await send(server, { method: 'GET', path: `${link}?download=input`, token: null });
  expect(JSON.parse(file.text)).toEqual(INPUT);
  const [, digest = ''] = /name="inputDigest" value="(\w+)"/.exec(page.text) ?? [];
  const sendForm = (more: Record<string, string>) =>
    send(server, {
      method: 'POST',
      path: link,
      token: null,
      headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ inputDigest: digest, act: 'approve', ...more }).toString(),
    });
  expect((await sendForm({ seen: 'yes' })).text).toContain('Say what you have read of the input.');
  expect((await sendForm({ seen: 'part' })).text).toContain('Your answer is recorded');
  const { interaction } = await ask(server, { method: 'GET', path: iid });
  expect(interaction).toMatchObject({ outcome: 'approved', decision: { read: 'part' } });
});

it('[LIM-1] takes 8 MiB, and refuses one byte more without storing anything', async () => {
  const path = await begin();
  const most = 'a'.repeat(LIMITS.wholeInputBytes - '{"content":""}'.length);
  const refused = await send(server, {
    method: 'POST',
    path: `${path}/interactions`,
    json: call({ content: `${most}a` }),
  });
  expect(refused.status).toBe(413);
  expect(refused.text).toContain(String(LIMITS.wholeInputBytes));
  const { interactions } = await ask(server, { method: 'GET', path: `${path}/interactions` });
  expect(interactions).toEqual([]);
  const together = Array.from({ length: countFor({ quick: 1, long: 4 }) }, async (_, at) => {
    const toolCallId = `call_most_${at}`;
    const record = await opened(path, call({ content: most }, { toolCallId }));
    expect(record).toMatchObject({ wholeInput: { bytes: LIMITS.wholeInputBytes } });
    const iid = `${path}/interactions/${record.interactionId as string}`;
    expect((await download(iid)).text).toHaveLength(LIMITS.wholeInputBytes);
  });
  await Promise.all(together);
});

it.each<[string, string]>([
  ['a million values', `[${'1,'.repeat(1_000_000)}1]`],
  ['a million names', `{${Array.from({ length: 300_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
  ['many levels', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
  ['an open end', `"${'x'.repeat(400_000)}`],
])('[LIM-1, LIM-4] refuses a large input of %s', async (_, input) => {
  const path = await begin();
  const body = `{"kind":"approval","toolName":"Write","input":{"value":${input}}}`;
  const refused = await send(server, { method: 'POST', path: `${path}/interactions`, body });
  expect(refused.status).toBe(400);
});

it.each([
  ['a question', { kind: 'question', questions: [{ question: 'Which?' }] }],
  ['a plan', { kind: 'plan_review', plan: 'x'.repeat(262_000) }],
])('[LIM-1] refuses %s whose request is too large', async (_, request) => {
  const path = await begin();
  const json = { toolName: 'Ask', ...request, description: 'z'.repeat(300_000) } as JsonObject;
  const refused = await send(server, { method: 'POST', path: `${path}/interactions`, json });
  expect([400, 413]).toContain(refused.status);
});

it('[INT-17, HOOK-1] lets Claude Code write a large file once a person allows it', async () => {
  sessions += 1;
  const conversation = `large-${sessions}`;
  const path = `/v1/sessions/claude-code:${conversation}`;
  const asked = ask(server, {
    method: 'POST',
    path: '/v1/hooks/claude-code',
    token: agent,
    json: {
      hook_event_name: 'PreToolUse',
      session_id: conversation,
      prompt_id: 'prompt-1',
      tool_name: 'Write',
      tool_use_id: 'toolu_1',
      tool_input: INPUT,
    },
  });
  await approvedOnce(`${path}/interactions/toolu_1~1`);
  expect(await asked).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'allow', updatedInput: INPUT },
  });
  const { text } = await send(server, { method: 'GET', path: `${path}/events?limit=100` });
  expect(text.length).toBeLessThan(4 * LIMITS.inputViewBytes);
  // The permission request that follows within seconds has its answer already.
  const output = await ask(server, {
    method: 'POST',
    path: '/v1/hooks/claude-code?wait=1',
    token: agent,
    json: {
      hook_event_name: 'PermissionRequest',
      session_id: conversation,
      prompt_id: 'prompt-1',
      tool_name: 'Write',
      tool_input: INPUT,
    },
  });
  expect(output).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
});

it('[INT-17, HOOK-1] is asked by a command hook, which prints its own input', async () => {
  sessions += 1;
  const conversation = `large-${sessions}`;
  const running = startCli(['hook', 'claude-code'], {
    stdin: JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: conversation,
      prompt_id: 'prompt-1',
      tool_name: 'Write',
      tool_use_id: 'toolu_1',
      tool_input: INPUT,
    }),
    env: { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: agent },
    ...(server.fetch !== undefined && { fetch: server.fetch }),
  });
  await approvedOnce(`/v1/sessions/claude-code:${conversation}/interactions/toolu_1~1`);
  expect(await running.code).toBe(0);
  expect(JSON.parse(running.out())).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'allow', updatedInput: INPUT },
  });
});

it('[INT-17, MCP-5] is asked by the permission prompt of an MCP client', async () => {
  const path = await begin();
  const asked = send(server, {
    method: 'POST',
    path: '/mcp',
    token: agent,
    headers: { 'Holdpoint-Session': path.split('/').at(-1) ?? '' },
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'approve',
        arguments: { tool_name: 'Write', input: INPUT, tool_use_id: 'toolu_1' },
        _meta: { 'claudecode/toolUseId': 'toolu_1' },
      },
    },
  });
  await approvedOnce(`${path}/interactions/toolu_1~1`);
  const [, message = ''] = /data: (\{.*"result".*\})/.exec((await asked).text) ?? [];
  const { result } = JSON.parse(message) as { result: { content: { text: string }[] } };
  expect(JSON.parse(result.content[0]?.text ?? '')).toMatchObject({
    behavior: 'allow',
    updatedInput: INPUT,
  });
});

it('[INT-17, LIM-1] is reported as a call with its view, also at 8 MiB', async () => {
  const path = await begin();
  const content = 'a'.repeat(LIMITS.wholeInputBytes - '{"content":""}'.length);
  const report = (toolCallId: string, input: JsonObject) =>
    send(server, {
      method: 'POST',
      path: `${path}/tool-calls`,
      token: agent,
      json: { toolCallId, toolName: 'Write', input },
    });
  expect((await report('most', { content })).status).toBe(201);
  expect((await report('large', INPUT)).status).toBe(201);
  expect((await report('large', INPUT)).status).toBe(201);
  expect((await report('large', { ...INPUT, content: `${FILE}#` })).status).toBe(409);
  const { text } = await send(server, { method: 'GET', path: `${path}/events` });
  expect(text.length).toBeLessThan(4 * LIMITS.inputViewBytes);
  expect(text).toContain(`"bytes":${LIMITS.wholeInputBytes}`);
});

async function approvedOnce(iid: string): Promise<void> {
  await expect
    .poll(async () => (await answer(iid, { decision: 'approve', read: 'whole' })).status, {
      timeout: HANG_MS,
    })
    .toBe(200);
}
