/**
 * HTTP tools of the built-in agent from the built bundle over a real connection, from the side of the tool's server.
 *
 * A bug here looks like a tool server that cannot verify the sender of a request, or a tool that runs on after an
 * interrupt.
 */
import { createHmac } from 'node:crypto';
import { afterAll, expect, it, vi } from 'vitest';
import { HttpTransport } from '../../src/client/http-transport.ts';
import type { JsonObject } from '../../src/protocol/json.ts';
import { agentSession } from '../support/http/agent-session.ts';
import { expectRefused, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { ADMIN_KEY, SECRET, startServer } from '../support/http/server.ts';
import { startMessagesApi } from '../support/messages-api/messages-api.ts';
import { type Reply, answer } from '../support/messages-api/reply.ts';
import { type ReceivedCall, startToolReceiver } from '../support/tool-receiver.ts';

const INPUT = { to: 'ada', words: 'Größe “10”' };
const replies: Reply[] = [];
const api = await startMessagesApi(() => replies.shift());
afterAll(() => api.stop());
const MODEL = { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: api.url };
const server = await startServer(
  { ...MODEL, HOLDPOINT_PRIVATE_TOOLS: '1' },
  { allowPrivateNetwork: true },
);
const careful = await startServer(MODEL);

function withTool(url: string): JsonObject {
  const tool = {
    type: 'http',
    name: 'Mail',
    description: 'Writes.',
    inputSchema: { type: 'object' },
  };
  return { permissionMode: 'bypassPermissions', agent: { tools: [{ ...tool, url }] } };
}

/** One turn that calls the tool once. */
function script(id: string): void {
  const call = { type: 'tool_use', id, name: 'Mail', input: INPUT };
  replies.push(
    answer([call], { stopReason: 'tool_use' }),
    answer([{ type: 'text', text: 'Done.' }]),
  );
}

/** Verifies by the specification of Standard Webhooks, with the secret from an administrator. */
function isSigned({ headers, body }: ReceivedCall, workspace: string): boolean {
  const key = createHmac('sha256', SECRET).update(`holdpoint http tools\n${workspace}`).digest();
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${signature}`;
}

it('[RUN-8] lets a receiver verify the sender, the time and the call of a request', async () => {
  const tool = await startToolReceiver((response) =>
    response.setHeader('content-type', 'text/plain').end('Sent.'),
  );
  const session = await agentSession(server, withTool(tool.url));
  script('toolu_signed');
  await session.send('Write to Ada');
  await session.until('turn_ended');
  expect(tool.received).toHaveLength(1);
  const [call] = tool.received;
  if (call === undefined) throw new Error('Nothing was received');
  expect(isSigned(call, 'main')).toBe(true);
  expect(isSigned(call, 'another')).toBe(false);
  expect(isSigned({ ...call, body: call.body.replace('ada', 'eve') }, 'main')).toBe(false);
  expect(Math.abs(Number(call.headers['webhook-timestamp']) * 1_000 - Date.now())).toBeLessThan(
    60_000,
  );
  expect(call.headers['idempotency-key']).toBe('toolu_signed');
  expect(JSON.parse(call.body)).toMatchObject({ tool: 'Mail', input: INPUT, isRepeat: false });
  const [result] = await session.ofType('tool_result');
  expect(result?.payload.output).toContain('Sent.');
});

it('[RUN-6] an interrupt disconnects from a running tool', async () => {
  const tool = await startToolReceiver(() => undefined);
  const session = await agentSession(server, withTool(tool.url));
  script('toolu_hangs');
  await session.send('Write to Ada');
  await vi.waitFor(() => expect(tool.received).toHaveLength(1), { timeout: 30_000 });
  await session.post('/interrupt', {});
  await tool.hangUp;
  replies.splice(0, 1, answer([{ type: 'text', text: 'I see.' }]));
  await session.send('What became of it?');
  await session.until('turn_ended', 2);
  const lastRequest = JSON.stringify(api.received.at(-1)?.body);
  expect(lastRequest).toContain('Interrupted while it ran; it may have had its effect.');
  expect(api.received.map(({ problem }) => problem).filter(Boolean)).toEqual([]);
});

it('[RUN-8] refuses a tool on this machine unless the deployment allows it', async () => {
  const json = { id: 'private', ...withTool('http://127.0.0.1:1/run') };
  const reply = await send(careful, { method: 'POST', path: '/v1/sessions', json });
  expectRefused(reply);
  expect(reply.text).toContain('Mail');
});

it('[TRN-1, RUN-8] a client of the session posts the result of a client tool', async () => {
  const transport = new HttpTransport({ url: server.url, token: await keyWith('agent', 'read') });
  const tool = { type: 'client', name: 'Mail', description: 'Writes.' } as const;
  const { id } = await transport.createSession({
    agent: { tools: [{ ...tool, class: 'read', inputSchema: { type: 'object' } }] },
    permissionMode: 'plan',
  });
  script('toolu_here');
  const admin = new HttpTransport({ url: server.url, token: ADMIN_KEY });
  const stream = admin.sendMessage(id, 'Write to Ada');
  const seen: string[] = [];
  const how = { idempotencyKey: 'the-result-of-mail' };
  for await (const event of stream) {
    seen.push(event.type);
    if (event.type !== 'tool_call_end') continue;
    const { toolCallId } = event;
    const head = await transport.postToolResult(id, toolCallId, { output: 'Sent.' }, how);
    const again = await transport.postToolResult(id, toolCallId, { output: 'Sent.' }, how);
    expect(again).toBeGreaterThanOrEqual(head);
  }
  const log = await send(server, { method: 'GET', path: `/v1/sessions/${id}/events` });
  expect(log.text.match(/"type":"tool_result"/g)).toHaveLength(1);
  expect(seen.slice(-2)).toEqual(['text_delta', 'done']);
  expect(JSON.stringify(api.received.at(-1)?.body)).toContain('Sent.');
  transport.close();
  admin.close();
});
