/**
 * Schemas and inputs within every published limit, made to keep the server busy.
 *
 * A bug here looks like an answer that never comes and a server that is blocked for all other clients, even after a
 * restart; or a server that needs a gigabyte for a body of a few kilobytes.
 */
import { afterAll, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/protocol/json.ts';
import { residentBytes } from '../fuzz/resident-memory.ts';
import { agentSession } from '../support/http/agent-session.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { startServer } from '../support/http/server.ts';
import { startMessagesApi } from '../support/messages-api/messages-api.ts';
import { answer, type Reply } from '../support/messages-api/reply.ts';

const replies: Reply[] = [];
const api = await startMessagesApi(() => replies.shift());
afterAll(() => api.stop());
const server = await startServer(
  { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: api.url },
  { allowPrivateNetwork: true },
);
const at = '/v1/sessions/schemas';
await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'schemas' } });

let asked = 0;

/** An approval that allows edits, and the response to an edited answer. */
async function edit(inputSchema: JsonObject, updatedInput: JsonObject) {
  asked += 1;
  const toolCallId = `call_${asked}`;
  const json = { kind: 'approval', toolCallId, toolName: 'T', input: {}, allowEdit: true };
  await ask(server, { method: 'POST', path: `${at}/interactions`, json: { ...json, inputSchema } });
  const path = `${at}/interactions/${toolCallId}~1/answer`;
  const given = { decision: 'approve', updatedInput };
  const [reply] = await Promise.all([
    send(server, { method: 'POST', path, json: given }),
    server.expectRunning(),
  ]);
  return reply;
}

const url: JsonObject = { type: 'object', properties: { url: { type: 'string', format: 'url' } } };
/** An honest answer of a person that once blocked the server for minutes. */
const HOST = 'http://internaldocumentationserverofthecompany/page';

it('[LIM-4, APR-2] answers an edit of a tool with "format": "url" at once', async () => {
  expect((await edit(url, { url: HOST })).status).toBe(200);
  expect((await edit(url, { url: `http://${'a'.repeat(100_000)}!` })).status).toBe(200);
});

it('[LIM-4, RUN-8] answers a call of such a tool at once, and its edit', async () => {
  const tool = { type: 'client', name: 'Open', description: 'Opens a page.', inputSchema: url };
  const session = await agentSession(server, { agent: { tools: [tool] } });
  const input = { url: `http://${'a'.repeat(60)}!` };
  replies.push(
    answer([{ type: 'tool_use', id: 'toolu_1', name: 'Open', input }], { stopReason: 'tool_use' }),
    answer([{ type: 'text', text: 'Done.' }]),
  );
  await session.send('Open it');
  await session.until('interaction_request');
  await session.post('/interactions/toolu_1~1/answer', {
    decision: 'approve',
    updatedInput: { url: `${input.url}!` },
  });
  await session.post('/tool-calls/toolu_1/result', { output: 'Opened.' });
  await session.until('turn_ended');
  expect(await session.ofType('tool_result')).toMatchObject([{ payload: { output: 'Opened.' } }]);
});

const many = (length: number) => Array.from({ length }, (_, index) => index);
const names: Json = many(1_900).map((index) => `name${index}`);
const list: Json = many(4_900).map(() => ({}));

it('[LIM-4] schemas within the limits cost neither seconds nor memory, and cause no server error', async () => {
  const before = residentBytes(server.pid());
  for (const items of [
    { anyOf: many(900).map(() => ({ type: 'string' })) },
    { anyOf: [...many(900).map(() => ({ type: 'string' })), { required: names.slice(0, 90) }] },
    { required: names },
    { enum: names },
  ] satisfies JsonObject[]) {
    const reply = await edit({ type: 'object', properties: { list: { items } } }, { list });
    expectRefused(reply, 'invalid_values');
    expect(reply.text.length).toBeLessThan(10_000);
  }
  const after = residentBytes(server.pid());
  // The schemas once took a gigabyte. Some systems do not report memory; then there is nothing to compare.
  const grown = before === undefined || after === undefined ? 0 : after - before;
  expect(grown).toBeLessThan(300 * 1024 * 1024);
});

it('[APR-2, LIM-4] follows a recursive schema exactly as deep as the input', async () => {
  const tree: JsonObject = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' } },
    $defs: { node: { type: ['array', 'number'], items: { $ref: '#/$defs/node' } } },
  };
  const nested = (inside: Json): JsonObject => {
    let root = inside;
    for (let level = 0; level < 28; level += 1) root = [root];
    return { root };
  };
  expect((await edit(tree, nested(1))).status).toBe(200);
  const reply = await edit(tree, nested('deep'));
  expectRefused(reply, 'invalid_values');
  expect(reply.text).toContain(`root/${'0/'.repeat(27)}0`);
  const link = (index: number) => (index === 899 ? true : { $ref: `#/$defs/c${index + 1}` });
  const chain = Object.fromEntries(many(900).map((index) => [`c${index}`, link(index)]));
  expectRefused(await edit({ $ref: '#/$defs/c0', $defs: chain }, {}), 'invalid_values');
});

it('[LIM-4] is unharmed by all of it', async () => {
  await server.expectUnharmed();
});
