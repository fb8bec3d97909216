/**
 * The model that a deployment reports, and the refusal of messages without a model.
 *
 * A bug here looks like a demo model that passes for a real model, or a lost message because no model can answer.
 */
import { expect, it } from 'vitest';
import { agentSession } from '../support/http/agent-session.ts';
import { ask, type Reachable, send } from '../support/http/call.ts';
import { sharedServer, startServer } from '../support/http/server.ts';

const demo = await sharedServer({ HOLDPOINT_DEMO: '1' });
const off = await startServer({ HOLDPOINT_DEMO: '0' });
const none = await sharedServer();
const keyed = await startServer({ HOLDPOINT_DEMO: '1', ANTHROPIC_API_KEY: 'a-key' });
const named = await startServer({ ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_MODEL: 'claude-x' });

it.each<[string, Reachable, unknown]>([
  ['the demo model', demo, 'demo'],
  ['none, told so', off, 'none'],
  ['none', none, 'none'],
  ['a key, which goes before the demo model', keyed, expect.stringContaining('claude')],
  ['a key and a name', named, 'claude-x'],
])('[RUN-9] /health says which model answers: %s', async (_what, server, agent) => {
  const health = await ask(server, { method: 'GET', path: '/health' });
  expect(health).toMatchObject({ ok: true, agent });
  expect(JSON.stringify(health)).not.toContain('a-key');
});

it.each([
  ['without key and demo model', none],
  ['with the demo model switched off', off],
])(
  '[RUN-9] refuses a message %s, as JSON also to a client that wants a stream',
  async (_what, server) => {
    const session = await agentSession(server);
    const before = await session.log();
    for (const headers of [{}, { Accept: 'text/event-stream' }]) {
      const path = `${session.path}/messages`;
      const reply = await send(server, { method: 'POST', path, json: { text: 'Hello' }, headers });
      expect(reply.status).toBe(503);
      expect(JSON.parse(reply.text)).toMatchObject({ error: { code: 'model_not_configured' } });
    }
    expect(await session.log()).toEqual(before);
  },
);

it('[RUN-9] a session whose agent runs elsewhere needs no model', async () => {
  await ask(none, { method: 'POST', path: '/v1/sessions', json: { id: 'elsewhere' } });
  const path = '/v1/sessions/elsewhere/messages';
  const reply = await ask(none, { method: 'POST', path, json: { text: 'Hello' } });
  expect(reply).toMatchObject({ routed: 'turn' });
});
