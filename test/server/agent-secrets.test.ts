/**
 * The parts of an agent's settings that leave the server.
 *
 * A bug here looks like the key of a tool, which is part of its address, on the screen of a person who may read one
 * session.
 */
import { expect, it, vi } from 'vitest';
import { ask, send } from '../support/http/call.ts';
import { keyWith, personToken, sessionToken } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';

const server = await startServer();
const ID = 'with-secrets';
const AT = `/v1/sessions/${ID}`;
const TOOL = {
  type: 'http',
  name: 'SendMail',
  description: 'Sends mail through SECRET-1.',
  class: 'execute',
  idempotent: false,
  inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
  url: 'https://tools.example.com/SECRET-2?key=SECRET-3',
  timeoutSeconds: 30,
};
const AGENT = { system: 'The password is SECRET-4.', tools: [TOOL], maxSteps: 3 };
const SEEN = {
  maxSteps: 3,
  tools: [
    { type: 'http', name: 'SendMail', class: 'execute', origin: 'https://tools.example.com' },
  ],
};
const begun = await send(server, {
  method: 'POST',
  path: '/v1/sessions',
  json: { id: ID, agent: AGENT },
});
const open = { kind: 'approval', toolName: 'SendMail', input: { to: 'mia' } };
await ask(server, { method: 'POST', path: `${AT}/interactions`, json: open });
const reader = await sessionToken(ID, 'read');
const everywhere = await personToken('read', 'answer', 'send');

/** A server-sent stream never ends; the test needs only its beginning. */
async function beginning(path: string, token: string): Promise<string> {
  const stop = new AbortController();
  const { body } = await fetch(server.url + path, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' },
    signal: stop.signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (/interaction_request|"inbox"/.test(text)) break;
  }
  stop.abort();
  return text;
}

async function bySocket(): Promise<string> {
  const socket = await openSocket(server, { session: ID, token: reader, after: 0 });
  await socket.until(({ type }) => type === 'events');
  socket.close();
  return JSON.stringify(socket.frames);
}

const get = async (path: string, token: string) =>
  (await send(server, { method: 'GET', path, token })).text;

/** The workspace receives the report of a new session shortly after the creator's reply. */
const getListed = (path: string) =>
  vi.waitFor(
    async () => {
      const text = await get(path, everywhere);
      expect(text).toContain(ID);
      return text;
    },
    { timeout: 30_000 },
  );

it.each<[string, () => Promise<string>]>([
  ['the reply to the one who began it', async () => begun.text],
  ['the snapshot', () => get(AT, reader)],
  ['the log', () => get(`${AT}/events?limit=1000`, reader)],
  ['the export', () => get(`${AT}/export`, reader)],
  ['the stream', () => beginning(`${AT}/events`, reader)],
  ['the socket', bySocket],
  ['the interactions', () => get(`${AT}/interactions`, reader)],
  ['the inbox', () => getListed('/v1/inbox')],
  ['the live inbox', () => beginning('/v1/inbox', everywhere)],
  ['the list of sessions', () => getListed('/v1/sessions')],
  [
    'a changed title',
    async () => {
      const change = { method: 'PATCH', path: AT, json: { title: 'New' }, token: everywhere };
      return (await send(server, change)).text;
    },
  ],
])('[AUTH-9] %s holds no address and no system prompt', async (_where, read) => {
  const text = await read();
  expect(text.length).toBeGreaterThan(50);
  expect(text).not.toMatch(/SECRET/);
  if (text.includes('"tools":[')) expect(text).toContain(JSON.stringify(SEEN.tools[0]));
});

it('[AUTH-9] only an administrator sees all settings, also after a restart', async () => {
  const path = `${AT}/agent`;
  expect(await ask(server, { method: 'GET', path })).toEqual({ agent: AGENT });
  await server.restart('kill');
  expect(await ask(server, { method: 'GET', path })).toEqual({ agent: AGENT });
  for (const token of [reader, everywhere, await keyWith('agent', 'answer', 'send', 'read')]) {
    expect((await send(server, { method: 'GET', path, token })).status).toBe(403);
  }
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: 'elsewhere' } });
  const none = await ask(server, { method: 'GET', path: '/v1/sessions/elsewhere/agent' });
  expect(none).toEqual({ agent: null });
});
