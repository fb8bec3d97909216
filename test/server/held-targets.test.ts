/**
 * [OUT-5] Targets whose maker was revoked, over real sockets. A bug here looks like an administrator whose key leaked, was
 * revoked, and goes on approving through a webhook.
 */
import { afterAll, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/json.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { signedHeaders, startWebhookReceiver } from '../support/webhook-receiver.ts';
import { until } from '../support/until.ts';

const server = await startServer({ HOLDPOINT_PRIVATE_TOOLS: '1' }, { allowPrivateNetwork: true });
const receiver = await startWebhookReceiver();
afterAll(() => receiver.close());
const agent = await keyWith('agent', 'read');
const session = 'held-targets';
const APPROVE = { answer: { decision: 'approve' } };

await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: session } });

async function open(toolCallId: string): Promise<void> {
  const json = { kind: 'approval', toolCallId, toolName: 'Bash', input: { command: 'ls' } };
  const path = `/v1/sessions/${session}/interactions`;
  await ask(server, { method: 'POST', path, json, token: agent });
}

const requested = (toolCallId: string) =>
  receiver.received.find(
    ({ type, data }) =>
      type === 'interaction.requested' &&
      (data['interaction'] as JsonObject | undefined)?.['toolCallId'] === toolCallId,
  );

/** The workspace has what the session reported. */
async function listed(): Promise<unknown[]> {
  const { interactions } = await ask(server, { method: 'GET', path: '/v1/inbox' });
  return (interactions as JsonObject[]).map(({ toolCallId }) => toolCallId);
}

async function recordOf(toolCallId: string): Promise<JsonObject> {
  const path = `/v1/sessions/${session}/interactions/${toolCallId}~1`;
  return (await ask(server, { method: 'GET', path }))['interaction'] as JsonObject;
}

it('[OUT-5] answers nothing and receives nothing once its maker is revoked, until an administrator enables it', async () => {
  const made = (await ask(server, {
    method: 'POST',
    path: '/v1/keys',
    json: { name: 'admin2', scopes: ['admin'] },
  })) as unknown as { key: { id: string }; secret: string };
  const { target, secret } = (await ask(server, {
    method: 'POST',
    path: '/v1/targets',
    json: { type: 'webhook', url: receiver.url, audience: 'boss' },
    token: made.secret,
  })) as unknown as { target: { id: string }; secret: string };
  await open('call-1');
  const sent = await until(() => requested('call-1'));
  const pathOf = (url: unknown) => new URL(String(url)).pathname;
  const answerPath = pathOf(sent.data.answer?.url);
  const linkPath = pathOf((sent.data['link'] as JsonObject)['url']);
  const post = () => {
    const body = JSON.stringify({ ...APPROVE, inputDigest: sent.data.answer?.inputDigest });
    const headers = signedHeaders(secret, body);
    return send(server, { method: 'POST', path: answerPath, token: null, body, headers });
  };

  await ask(server, { method: 'DELETE', path: `/v1/keys/${made.key.id}` });
  const refused = await post();
  expectRefused(refused, 'forbidden');
  expect(refused.text).toContain('until an administrator enables it');
  const byLink = await send(server, { method: 'POST', path: linkPath, token: null, json: APPROVE });
  expectRefused(byLink, 'link_expired');
  expect(await recordOf('call-1')).toMatchObject({ status: 'open' });
  const at = `/v1/targets/${target.id}`;
  expect(await ask(server, { method: 'GET', path: at })).toMatchObject({
    target: { disabledBy: 'revocation' },
  });

  await open('call-2');
  await until(async () => (await listed()).includes('call-2'));
  await ask(server, { method: 'PATCH', path: at, json: { enabled: true } });
  await open('call-3');
  await until(() => requested('call-3'));
  expect(requested('call-2')).toBeUndefined();
  expect((await post()).status).toBe(200);
  // The administrator who enabled it vouches for it now.
  expect(await recordOf('call-1')).toMatchObject({
    settledBy: { subject: 'boss', credential: target.id, key: 'admin' },
  });
});

it('[OUT-5] a target goes on when another credential is revoked', async () => {
  const makeKey = async (name: string) =>
    (await ask(server, {
      method: 'POST',
      path: '/v1/keys',
      json: { name, scopes: ['admin'] },
    })) as unknown as { key: { id: string }; secret: string };
  const [maker, other] = await Promise.all([makeKey('maker'), makeKey('other')]);
  const { target } = (await ask(server, {
    method: 'POST',
    path: '/v1/targets',
    json: { type: 'webhook', url: receiver.url },
    token: maker.secret,
  })) as unknown as { target: { id: string } };
  await ask(server, { method: 'DELETE', path: `/v1/keys/${other.key.id}` });
  expect(await ask(server, { method: 'GET', path: `/v1/targets/${target.id}` })).toMatchObject({
    target: { disabledAt: null },
  });
});
