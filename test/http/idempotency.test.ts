/**
 * The context of a command: its idempotency key, and the defaults of the workspace and the deployment.
 *
 * A bug here looks like a new request that counts as a repeat, or a repeat that the session carries out again.
 */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { fakePorts, GOOD } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

async function contextFor(
  path: string,
  init: { key?: string; body?: string; method?: string } = {},
) {
  const ports = fakePorts();
  const { key, body, method = 'POST' } = init;
  const headers = { ...GOOD, ...(key !== undefined && { 'Idempotency-Key': key }) };
  const request = { method, headers, ...(body !== undefined && { body }) };
  const response = await createApp(ports).fetch(requestTo(path, request));
  return { response, context: ports.asked[0]?.context };
}

const KEY = 'a-key-of-mine';
const CLEAR = '/v1/sessions/one/clear';

it('[API-2] passes the key to the session for its route alone, with a hash of the request', async () => {
  const { context } = await contextFor(CLEAR, { key: KEY });
  expect(context?.idempotency).toEqual({
    key: `POST /v1/sessions/:id/clear ${KEY}`,
    bodyHash: expect.stringMatching(/^[0-9a-f]{32,}$/),
  });
});

it('[API-2] tells requests apart by body, path and method, and nothing else', async () => {
  const hashes = await Promise.all(
    [
      contextFor('/v1/sessions/one/messages', { key: KEY, body: '{"text":"a"}' }),
      contextFor('/v1/sessions/one/messages', { key: KEY, body: '{"text":"b"}' }),
      contextFor('/v1/sessions/one/messages', { key: KEY, body: '{"text": "a"}' }),
      contextFor('/v1/sessions/two/messages', { key: KEY, body: '{"text":"a"}' }),
      contextFor(CLEAR, { key: KEY }),
      contextFor('/v1/sessions/one/interrupt', { key: KEY }),
    ].map(async (pending) => (await pending).context?.idempotency?.bodyHash),
  );
  expect(hashes).not.toContain(undefined);
  expect(new Set(hashes).size).toBe(hashes.length);
  const again = await contextFor('/v1/sessions/one/messages', {
    key: 'another-key',
    body: '{"text":"a"}',
  });
  expect(again.context?.idempotency?.bodyHash).toBe(hashes[0]);
});

it.each(['a'.repeat(8), 'a'.repeat(128), 'A-Z_a-z_0-9', '01M7Q9TKV2Y0BQRDBYZ1ZPQFN0'])(
  '[API-2] takes the key %s',
  async (key) => {
    const { context } = await contextFor(CLEAR, { key });
    expect(context?.idempotency?.key.split(' ').at(-1)).toBe(key);
  },
);

it.each([
  '',
  'a'.repeat(7),
  'a'.repeat(129),
  'with space',
  'one-key-1, one-key-2',
  'semi;colon',
  'ümlauts-ü',
])('[API-2] refuses the key %j, and asks no session', async (key) => {
  const { response, context } = await contextFor(CLEAR, { key });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } });
  expect(context).toBeUndefined();
});

it('[API-2] sends no key without the header, and none on a route that takes no key', async () => {
  expect((await contextFor(CLEAR)).context).not.toHaveProperty('idempotency');
  const { context } = await contextFor('/v1/sessions/one', {
    key: KEY,
    method: 'PATCH',
    body: '{"title":"New"}',
  });
  expect(context).toBeDefined();
  expect(context).not.toHaveProperty('idempotency');
});

it('[API-2] finds the session of an earlier request without an id by its key', async () => {
  const idFor = async (key?: string) => {
    const ports = fakePorts();
    const headers = { ...GOOD, ...(key !== undefined && { 'Idempotency-Key': key }) };
    await createApp(ports).fetch(requestTo('/v1/sessions', { method: 'POST', headers }));
    const { session, command } = ports.asked[0] ?? {};
    expect(command).toMatchObject({ type: 'session.create', id: session });
    return session;
  };
  expect(await idFor(KEY)).toBe(await idFor(KEY));
  expect(await idFor(KEY)).not.toBe(await idFor('another-key'));
});

it('[INT-1] prefers the defaults of the workspace to those of the deployment', async () => {
  const policy = { revoked: [], settings: { timeouts: { approval: 60 } } };
  const ports = fakePorts({
    config: { ...fakePorts().config, timeouts: { approval: 600, form: 30 } },
    policy: { get: async () => policy, refresh: async () => policy },
  });
  await createApp(ports).fetch(requestTo(CLEAR, { method: 'POST', headers: GOOD }));
  expect(ports.asked[0]?.context.timeouts).toEqual({ approval: 60, form: 30 });
});

it.each([
  { workspace: undefined, deployment: true, forbids: true },
  { workspace: undefined, deployment: false, forbids: false },
  { workspace: true, deployment: false, forbids: true },
  { workspace: false, deployment: true, forbids: false },
])('[AUTH-8] the workspace decides before the deployment: $workspace, $deployment', async (how) => {
  const settings = {
    timeouts: {},
    ...(how.workspace !== undefined && { forbidSelfApproval: how.workspace }),
  };
  const policy = { revoked: [], settings };
  const ports = fakePorts({
    config: { ...fakePorts().config, forbidSelfApproval: how.deployment },
    policy: { get: async () => policy, refresh: async () => policy },
  });
  await createApp(ports).fetch(requestTo(CLEAR, { method: 'POST', headers: GOOD }));
  expect(ports.asked[0]?.context.forbidSelfApproval).toBe(how.forbids);
});
