/**
 * [INT-18] An input that only text carries without loss, by every way in: openings, reported calls, hooks and MCP; and where it
 * is refused.
 *
 * A bug here looks like a rounded number that a person approves, or an agent that runs another input than was shown.
 */
import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { startCli } from '../support/cli.ts';
import { ask, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const agent = await keyWith('agent');
const path = '/v1/sessions/odd';
await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'odd' } });
let calls = 0;

async function opened(input: string) {
  calls += 1;
  const body = `{"kind":"approval","toolName":"Run","toolCallId":"odd-${calls}","allowEdit":true,"input":${input}}`;
  const reply = await send(server, { method: 'POST', path: `${path}/interactions`, body });
  expect(reply.status).toBe(201);
  const { interaction } = JSON.parse(reply.text) as { interaction: { interactionId: string } };
  return { interaction, iid: `${path}/interactions/${interaction.interactionId}` };
}

it('[INT-18] is shown as its text, downloaded without loss, and approved as what is shown', async () => {
  const input = '{"amount":9007199254740993,"constructor":"x"}';
  const { interaction, iid } = await opened(input);
  const sha256 = createHash('sha256').update(input).digest('hex');
  expect(interaction).toMatchObject({
    request: { input: { 'input as JSON text': input } },
    wholeInput: { bytes: input.length, sha256, hiddenChars: 0, isText: true },
  });
  expect((await send(server, { method: 'GET', path: `${iid}/input` })).text).toBe(input);
  const json = { decision: 'approve' };
  const { interaction: settled } = await ask(server, {
    method: 'POST',
    path: `${iid}/answer`,
    json,
  });
  expect(settled).toMatchObject({
    outcome: 'approved',
    reply: { behavior: 'allow', wholeInput: { sha256 } },
  });
});

it('[INT-18] is repeated by the same text in another order, and not by another number', async () => {
  const open = (input: string) =>
    send(server, {
      method: 'POST',
      path: `${path}/interactions`,
      body: `{"kind":"approval","toolName":"Run","toolCallId":"same","input":${input}}`,
    });
  expect((await open('{"n":9007199254740993,"a":1}')).status).toBe(201);
  expect((await open('{ "a" : 1, "n":9007199254740993 }')).status).toBe(200);
  const changed = await open('{"a":1,"n":9007199254740995}');
  expect(changed.status).toBe(201);
  expect(changed.text).toContain('"replaces":"same~1"');
});

it('[INT-18, LIM-1] is refused in a question and in other bodies', async () => {
  const bodies: [string, string][] = [
    [`${path}/interactions`, '{"kind":"question","toolName":"Q","input":{"constructor":1}}'],
    [
      `${path}/events`,
      '{"events":[{"type":"tool_call","toolCallId":"c","payload":{"toolName":"T","input":{"constructor":1}}}]}',
    ],
    [
      '/v1/hooks/claude-code',
      '{"hook_event_name":"Elicitation","session_id":"s","mcp_server_name":"m","requested_schema":{"constructor":1}}',
    ],
    ['/v1/sessions', '{"id":"x","metadata":{"n":9007199254740993}}'],
  ];
  for (const [at, body] of bodies) {
    expect((await send(server, { method: 'POST', path: at, body })).status).toBe(400);
  }
});

const ODD = '{"__proto__":{"x":1},"amount":9007199254740993,"constructor":"x"}';
/** As a program writes it whose numbers are doubles. */
const ODD_DOUBLES = '{"__proto__":{"x":1},"amount":9007199254740992,"constructor":"x"}';
let conversations = 0;
/** Far longer than anything takes here on a busy machine. */
const HANG_MS = 100_000;

function converse() {
  conversations += 1;
  const id = `odd-conversation-${conversations}`;
  return { id, at: `/v1/sessions/claude-code:${id}` };
}

async function openIn(at: string): Promise<JsonObject> {
  return vi.waitFor(
    async () => {
      const reply = await send(server, { method: 'GET', path: `${at}/interactions` });
      const { interactions = [] } = JSON.parse(reply.text) as { interactions?: JsonObject[] };
      const [open] = interactions;
      if (open === undefined) throw new Error('Nothing is open');
      return open;
    },
    { timeout: HANG_MS },
  );
}

/** A person sees the text, and approves it. */
async function approve(at: string, input: string): Promise<void> {
  const open = await openIn(at);
  expect(open).toMatchObject({
    request: { input: { 'input as JSON text': input } },
    wholeInput: { isText: true, sha256: createHash('sha256').update(input).digest('hex') },
  });
  const path = `${at}/interactions/${open.interactionId as string}/answer`;
  await ask(server, { method: 'POST', path, json: { decision: 'approve' } });
}

const hookBody = (id: string, event: string, input: string, more = '') =>
  `{"hook_event_name":"${event}","session_id":"${id}","prompt_id":"p","tool_name":"mcp__bank__pay","tool_use_id":"toolu_1"${more},"tool_input":${input}}`;
const postHook = (body: string) =>
  send(server, { method: 'POST', path: '/v1/hooks/claude-code', token: agent, body });

describe('[INT-18, HOOK-1] hooks', () => {
  it('over HTTP, and the permission request that follows', async () => {
    const { id, at } = converse();
    const output = postHook(hookBody(id, 'PreToolUse', ODD));
    await approve(at, ODD);
    const { status, text } = await output;
    expect(status).toBe(200);
    expect(text).toContain('"permissionDecision":"allow"');
    expect(text).toContain(`"updatedInput":${ODD}`);
    const { events } = await ask(server, { method: 'GET', path: `${at}/events` });
    const calls = (events as JsonObject[]).filter(({ type }) => type === 'tool_call');
    expect(calls).toMatchObject([{ payload: { wholeInput: { isText: true } } }]);

    const again = await postHook(hookBody(id, 'PermissionRequest', ODD));
    expect(again.text).toContain('"behavior":"allow"');
    expect(again.text).toContain(`"updatedInput":${ODD}`);
  });

  it('a permission request asks about another number anew', async () => {
    const { id, at } = converse();
    const output = postHook(hookBody(id, 'PreToolUse', '{"amount":9007199254740993}'));
    await approve(at, '{"amount":9007199254740993}');
    await output;
    const other = postHook(hookBody(id, 'PermissionRequest', '{"amount":9007199254740992}'));
    await approve(at, '{"amount":9007199254740992}');
    expect((await other).text).toContain('"updatedInput":{"amount":9007199254740992}');
  });

  it.each(['claude-code', 'codex'])('as a command of %s', async (program) => {
    const { id } = converse();
    const at = `/v1/sessions/${program}:${id}`;
    const running = startCli(['hook', program], {
      stdin: hookBody(id, 'PreToolUse', ODD, program === 'codex' ? ',"turn_id":"t"' : ''),
      env: { HOLDPOINT_URL: server.url, HOLDPOINT_TOKEN: agent },
      ...(server.fetch !== undefined && { fetch: server.fetch }),
    });
    await approve(at, ODD);
    expect(await running.code).toBe(0);
    expect(running.out()).toContain('"permissionDecision":"allow"');
    // Codex runs its own input, and takes only an edited one.
    if (program === 'claude-code') expect(running.out()).toContain(`"updatedInput":${ODD}`);
  });
});

it('[INT-18, RDV-5] a reported call, once, and not under another number', async () => {
  const report = (input: string) =>
    send(server, {
      method: 'POST',
      path: `${path}/tool-calls`,
      token: agent,
      body: `{"toolCallId":"reported","toolName":"Pay","input":${input}}`,
    });
  expect((await report(ODD)).status).toBe(201);
  expect((await report(ODD.replaceAll(',', ' , '))).status).toBe(201);
  expect((await report(ODD_DOUBLES)).status).toBe(409);
  expect((await report('{}')).status).toBe(409);
  const { events } = await ask(server, { method: 'GET', path: `${path}/events?limit=1000` });
  const calls = (events as JsonObject[]).filter(({ toolCallId }) => toolCallId === 'reported');
  expect(calls).toMatchObject([
    { payload: { input: { 'input as JSON text': ODD }, wholeInput: { isText: true } } },
  ]);
});

describe('[INT-18, MCP-5] the tool approve', () => {
  const call = (session: string, input: string, tool = 'approve') =>
    send(server, {
      method: 'POST',
      path: '/mcp',
      token: agent,
      headers: {
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
        'Holdpoint-Session': session,
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":{"tool_name":"Pay","tool_use_id":"toolu_1","input":${input}},"_meta":{"claudecode/toolUseId":"toolu_1"}}}`,
    });

  it('returns what a person approved', async () => {
    const allowed = call('odd-mcp', ODD_DOUBLES);
    await approve('/v1/sessions/odd-mcp', ODD_DOUBLES);
    const { text } = await allowed;
    const [, message = ''] = /data: (\{.*"result".*\})/.exec(text) ?? [];
    const reply = JSON.parse(message) as { result: { content: { text: string }[] } };
    expect(reply.result.content[0]?.text).toContain(`"updatedInput":${ODD_DOUBLES}`);
    expect(reply.result.content[0]?.text).toContain('"behavior":"allow"');
  });

  it('denies a number that its agent would read as another one, and asks nobody', async () => {
    const { text } = await call('odd-mcp-exact', ODD);
    expect(text).toContain('Send it as text');
    expect(text).not.toContain('allow');
    const found = await send(server, { method: 'GET', path: '/v1/sessions/odd-mcp-exact' });
    expect(found.status).toBe(404);
  });

  it('is refused as an argument of another tool', async () => {
    const { text } = await call('odd-mcp-other', '{"constructor":1}', 'ask_human');
    expect(text).toContain('error');
    const found = await send(server, { method: 'GET', path: '/v1/sessions/odd-mcp-other' });
    expect(found.status).toBe(404);
  });
});
