/**
 * Devices over real sockets: a push service that decrypts what it receives, and everyone who may not have a device.
 *
 * A bug here looks like a phone that rings for a stranger, or one that rings for a request that is over.
 */
import { afterAll, expect, it } from 'vitest';
import type { PushMessage } from '../../src/protocol/push-message.ts';
import { ask, expectRefused, send } from '../support/http/call.ts';
import { keyWith, sessionToken, sign, vouchedToken } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { type ReceivedPush, startPushService, PUSH_ORIGIN } from '../support/push-service.ts';
import { PRIVATE_URLS } from '../support/private-urls.ts';
import { until } from '../support/until.ts';

const service = await startPushService();
// As `npm start` serves, where tools and targets may be on this machine.
const server = await startServer(
  { HOLDPOINT_PRIVATE_TOOLS: '1' },
  { allowPrivateNetwork: true, pushService: service.address },
);
afterAll(() => service.close());
const agent = await keyWith('agent', 'read');

interface Person {
  readonly token: string;
  readonly tokenId: string;
}

/** Through the API, so that the token can be revoked. */
async function signIn(subject: string, scopes = ['read', 'answer']): Promise<Person> {
  const json = { subject, scopes };
  const made = await ask(server, { method: 'POST', path: '/v1/tokens', json });
  const { token, id: tokenId } = made as { token: string; id: string };
  return { token, tokenId };
}

async function addDevice({ token }: Pick<Person, 'token'>, name = 'Phone') {
  const { received, ...subscription } = service.subscribe();
  const json = { name, subscription: { ...subscription, expirationTime: null } };
  const reply = await ask(server, { method: 'POST', path: '/v1/devices', json, token });
  const { id } = (reply as unknown as { device: { id: string } }).device;
  return { id, received, subscription };
}

async function devicesOf({ token }: Pick<Person, 'token'>) {
  const list = await ask(server, { method: 'GET', path: '/v1/devices', token });
  return list as unknown as { devices: { id: string; name: string }[]; publicKey: string };
}

let sessions = 0;
async function newSession(): Promise<string> {
  const id = `pushed-${(sessions += 1)}-x`;
  await ask(server, { method: 'POST', path: '/v1/sessions', json: { id } });
  return id;
}

let calls = 0;
async function open(session: string, json: object = {}): Promise<string> {
  const toolCallId = `call-${(calls += 1)}`;
  const path = `/v1/sessions/${session}/interactions`;
  const request = { kind: 'approval', toolCallId, toolName: 'Edit', input: { file_path: 'a.ts' } };
  await ask(server, { method: 'POST', path, json: { ...request, ...json }, token: agent });
  return `${toolCallId}~1`;
}

const about = (received: readonly ReceivedPush[], id: string, type: PushMessage['type']) =>
  received.find(
    ({ message }) =>
      message?.type === type && 'interactionId' in message && message.interactionId === id,
  );

it('[PUSH-1] notifies a device of a request and of its end, encrypted for the device alone', async () => {
  const ada = await signIn('ada');
  const { received } = await addDevice(ada);
  const { publicKey } = await devicesOf(ada);
  const session = await newSession();
  const id = await open(session, { timeoutSeconds: 600 });
  const { headers, bytes, message, vapid } = await until(() => about(received, id, 'request'));
  expect(message).toMatchObject({
    sessionId: session,
    title: 'Edit asks for approval',
    body: 'file_path: a.ts',
    onePress: true,
  });
  expect(bytes).toBeLessThanOrEqual(4_096);
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
  expect(Number(headers['ttl'])).toBeGreaterThan(500);
  expect(Number(headers['ttl'])).toBeLessThanOrEqual(600);
  expect(vapid.publicKey).toBe(publicKey);
  expect(vapid.claims['aud']).toBe(PUSH_ORIGIN);
  const digest = (message as { digest: string }).digest;
  const path = `/v1/sessions/${session}/interactions/${id}/answer`;
  const json = { decision: 'approve', inputDigest: digest };
  await ask(server, { method: 'POST', path, json, token: ada.token });
  const ended = await until(() => about(received, id, 'end'));
  expect(ended.message).toMatchObject({ title: 'Approved by ada' });
  expect(ended.headers['topic']).toBe(headers['topic']);
});

it('[PUSH-1] sends a test, and lists and removes devices', async () => {
  const cy = await signIn('cy');
  const { id, received } = await addDevice(cy, 'Cy’s phone');
  expect((await devicesOf(cy)).devices).toMatchObject([{ id, name: 'Cy’s phone' }]);
  const path = `/v1/devices/${id}/test`;
  const tested = await ask(server, { method: 'POST', path, token: cy.token });
  expect(tested).toMatchObject({ delivery: { status: 'delivered' } });
  expect(received.map(({ message }) => message)).toEqual([{ type: 'test' }]);
  const removal = { method: 'DELETE', path: `/v1/devices/${id}`, token: cy.token };
  expect((await send(server, removal)).status).toBe(204);
  expectRefused(await send(server, removal), 'not_found');
  expect((await devicesOf(cy)).devices).toEqual([]);
});

it('[PUSH-1] forgets a subscription that is gone', async () => {
  const di = await signIn('di');
  await addDevice(di);
  service.respond(410);
  try {
    await open(await newSession());
    await until(async () => (await devicesOf(di)).devices.length === 0);
  } finally {
    service.respond(201);
  }
  expect((await devicesOf(di)).devices).toEqual([]);
});

it('[PUSH-1] shows each person the own devices alone', async () => {
  const [ed, fay] = [await signIn('ed'), await signIn('fay')];
  const { id } = await addDevice(ed);
  expect((await devicesOf(fay)).devices).toEqual([]);
  const at = { path: `/v1/devices/${id}`, token: fay.token };
  expectRefused(await send(server, { ...at, method: 'DELETE' }), 'not_found');
  const test = { ...at, path: `${at.path}/test`, method: 'POST' };
  expectRefused(await send(server, test), 'not_found');
  const stranger = await sign({ scopes: ['admin'], workspace: 'other', subject: 'ed' });
  expectRefused(await send(server, { ...at, method: 'DELETE', token: stranger }), 'not_found');
  expectRefused(await send(server, { ...test, token: stranger }), 'not_found');
  expect((await devicesOf(ed)).devices).toHaveLength(1);
});

it('[PUSH-1, AUTH-7] sends nothing after the token of the device was revoked', async () => {
  const [gil, hal] = [await signIn('gil'), await signIn('hal')];
  const [revoked, other] = [await addDevice(gil), await addDevice(hal)];
  await ask(server, { method: 'DELETE', path: `/v1/tokens/${gil.tokenId}` });
  const id = await open(await newSession());
  await until(() => about(other.received, id, 'request'));
  expect(revoked.received).toEqual([]);
  // Its person signs in again, and finds that the device is gone.
  expect((await devicesOf(await signIn('gil'))).devices).toEqual([]);
});

it('[PUSH-1] tells a person who may not read nothing of the request', async () => {
  const { received } = await addDevice(await signIn('ida', ['answer']));
  const id = await open(await newSession(), { input: { password: 'hunter2' }, toolName: 'Vault' });
  const { text } = await until(() => about(received, id, 'request'));
  expect(text).not.toMatch(/hunter2|password|Vault/);
});

it('[PUSH-1] notifies a token of one session of that session alone', async () => {
  const [own, other] = [await newSession(), await newSession()];
  const everywhere = await addDevice(await signIn('jo'));
  const { received } = await addDevice({ token: await vouchedToken(own, 'read', 'answer') });
  const elsewhere = await open(other);
  const here = await open(own);
  await until(() => about(everywhere.received, elsewhere, 'request'));
  await until(() => about(received, here, 'request'));
  expect(about(received, elsewhere, 'request')).toBeUndefined();
});

it('[PUSH-1] lets no agent have a device', async () => {
  const { endpoint, keys } = service.subscribe();
  const json = { name: 'Phone', subscription: { endpoint, keys: { ...keys } } };
  const session = await newSession();
  const tokens = [
    agent,
    await keyWith('read', 'answer', 'send', 'agent'),
    await sessionToken(session, 'read', 'agent'),
  ];
  for (const token of tokens) {
    const post = { method: 'POST', path: '/v1/devices', json, token };
    expectRefused(await send(server, post), 'forbidden');
    expectRefused(await send(server, { method: 'GET', path: '/v1/devices', token }), 'forbidden');
  }
});

it('[PUSH-1] accepts no private address, whatever the deployment allows its tools and targets', async () => {
  const { token } = await signIn('kim', ['read']);
  const { keys } = service.subscribe();
  const refused: number[] = [];
  const own = [`http://${service.address}/push/1`, 'http://169.254.169.254/', 'http://[::1]:1/'];
  const urls = [...PRIVATE_URLS, ...own, 'http://push.example.com/'];
  for (const endpoint of urls) {
    const json = { name: 'Phone', subscription: { endpoint, keys } };
    refused.push((await send(server, { method: 'POST', path: '/v1/devices', json, token })).status);
  }
  expect(urls.filter((_, at) => refused[at] !== 400)).toEqual([]);
  expect(urls.length).toBeGreaterThan(100);
});

it('[PUSH-1] shows nothing of what answers at the address of a device', async () => {
  const lee = await signIn('lee', ['read']);
  const { id } = await addDevice(lee);
  service.respond(403, {}, 'SECRET-OF-THE-NETWORK');
  try {
    const path = `/v1/devices/${id}/test`;
    const { text } = await send(server, { method: 'POST', path, token: lee.token });
    expect(JSON.parse(text)).toMatchObject({ delivery: { status: 'dead' } });
    expect(text).not.toContain('SECRET');
    expect(text).toContain('responded 403');
  } finally {
    service.respond(201);
  }
});
