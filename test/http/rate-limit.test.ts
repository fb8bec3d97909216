/**
 * Too many requests with one credential.
 *
 * A bug here looks like one busy agent that blocks every other caller, a limit that never ends, or a request that is
 * counted before its caller is known.
 */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import {
  bindingLimiter,
  countingLimiter,
  noLimiter,
  WindowCounts,
} from '../../src/platform/rate-limit.ts';
import type { TargetStub } from '../../src/http/stubs.ts';
import { reject } from '../../src/protocol/errors.ts';
import { ANYBODY, fakePorts } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const START = 1_800_000_000_000;

/** `good-2@good-1` descends from `good-1`. */
function limitedApp(limit: number, sessions = limit) {
  let now = START;
  const limiter = countingLimiter(new WindowCounts(limit, () => now));
  const sessionLimiter = countingLimiter(new WindowCounts(sessions, () => now));
  const verify = async (token: string) => {
    const [credential = '', root = credential] = token.split('@');
    if (!token.startsWith('good')) return undefined;
    const scopes = credential.endsWith('reader') ? (['read'] as const) : ANYBODY.caller.scopes;
    return { ...ANYBODY, caller: { ...ANYBODY.caller, credential, root, scopes } };
  };
  const ports = fakePorts({
    limiter,
    sessionLimiter,
    credentials: { verify, sign: async () => '' },
  });
  const app = createApp(ports);
  return {
    limiter,
    asked: ports.asked,
    advance: (ms: number) => (now += ms),
    ask: (token: string, path = '/v1/sessions/a/clear', method = 'POST') =>
      app.fetch(requestTo(path, { method, headers: { Authorization: `Bearer ${token}` } })),
  };
}

it('[LIM-3] refuses the request above the limit with 429 and the time to wait', async () => {
  const { ask, asked, advance } = limitedApp(3);
  for (let count = 0; count < 3; count += 1) expect((await ask('good')).status).toBe(404);
  advance(2_500);
  const refused = await ask('good');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('8');
  expect(await refused.json()).toMatchObject({
    error: { code: 'rate_limited', details: { retryAfterSeconds: 8 } },
  });
  expect(asked).toHaveLength(3);
});

it('[LIM-3] accepts a caller again after the announced wait, and not earlier', async () => {
  const { ask, advance } = limitedApp(1);
  await ask('good');
  const wait = Number((await ask('good')).headers.get('retry-after'));
  advance(wait * 1_000 - 1);
  const early = await ask('good');
  expect([early.status, early.headers.get('retry-after')]).toEqual([429, '1']);
  advance(1);
  expect((await ask('good')).status).toBe(404);
  expect((await ask('good')).status).toBe(429);
});

it('[LIM-3] counts a credential together with all credentials made from it', async () => {
  const { ask } = limitedApp(4);
  const line = ['good-1', 'good-2@good-1', 'good-3@good-1'];
  for (const token of [...line, 'good-4@good-1']) expect((await ask(token)).status).toBe(404);
  for (const token of [...line, 'good-5@good-1']) expect((await ask(token)).status).toBe(429);
  expect((await ask('good-6@good-7')).status).toBe(404);
});

it('[LIM-3] counts new sessions separately, and says how long to wait', async () => {
  const { ask, asked, advance } = limitedApp(100, 2);
  const begin = (token: string) => ask(token, '/v1/sessions');
  await begin('good-1');
  expect((await begin('good-2@good-1')).status).toBe(404);
  advance(2_500);
  const refused = await begin('good-1');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '8']);
  expect(await refused.json()).toMatchObject({
    error: {
      code: 'rate_limited',
      message: expect.stringContaining('sessions') as string,
      details: { retryAfterSeconds: 8 },
    },
  });
  expect(asked).toHaveLength(2);
  expect((await ask('good-1')).status).toBe(404);
  expect((await begin('good-3')).status).toBe(404);
  advance(7_500);
  expect((await begin('good-1')).status).toBe(404);
});

it('[LIM-3] does not count a session that the credential may not create', async () => {
  const { ask } = limitedApp(100, 1);
  for (let count = 0; count < 3; count += 1) {
    expect((await ask('good-reader@good-1', '/v1/sessions')).status).toBe(403);
  }
  expect((await ask('good-1', '/v1/sessions')).status).toBe(404);
});

it('[LIM-3] counts each credential separately', async () => {
  const { ask } = limitedApp(2);
  for (let count = 0; count < 5; count += 1) await ask('good-1');
  expect((await ask('good-1')).status).toBe(429);
  expect((await ask('good-2')).status).toBe(404);
});

it('[LIM-3] counts neither unknown callers nor public routes', async () => {
  const { ask } = limitedApp(1);
  for (let count = 0; count < 5; count += 1) {
    expect((await ask('bad')).status).toBe(401);
    expect((await ask('good', '/health', 'GET')).status).toBe(200);
  }
  expect((await ask('good')).status).toBe(404);
});

it('[LIM-3] counts a request that is refused for another reason too', async () => {
  const { ask } = limitedApp(2);
  expect((await ask('good', '/v1/sessions/a%20b/clear')).status).toBe(404);
  expect((await ask('good', '/v1/sessions/a/clear?surprise=1')).status).toBe(400);
  expect((await ask('good')).status).toBe(429);
});

const ANSWER = { answer: { decision: 'approve' }, inputDigest: 'd'.repeat(64) };
const OF_SLACK = 'payload=%7B%7D';

it.each([
  ['a receiver', '/v1/inbound/tgt_1/msg_1_1', 'application/json', JSON.stringify(ANSWER)],
  ['Slack', '/v1/inbound/slack/tgt_1', 'application/x-www-form-urlencoded', OF_SLACK],
])('[LIM-3, OUT-4] strangers use up nothing of %s', async (_who, path, type, body) => {
  const refused = reject('unauthenticated', 'The signature is not one of this target');
  const isGood = (signature: string | null | undefined) => signature === 'good';
  const target: Partial<TargetStub> = {
    answer: async (_id, { signature }) => (isGood(signature) ? { ok: true, json: '{}' } : refused),
    receiveMessage: async ({ headers }) =>
      isGood(headers['webhook-signature']) ? { status: 200, text: '' } : refused,
  };
  const limiter = countingLimiter(new WindowCounts(2, () => START));
  const app = createApp(fakePorts({ limiter, findTarget: async () => target as TargetStub }));
  const post = async (signature: string) => {
    const headers = { 'Content-Type': type, 'webhook-signature': signature };
    return (await app.fetch(requestTo(path, { method: 'POST', headers, body }))).status;
  };
  const strangers = [await post('bad'), await post('bad'), await post('bad'), await post('bad')];
  expect(strangers).toEqual([401, 401, 429, 429]);
  expect([await post('good'), await post('good'), await post('good')]).toEqual([200, 200, 200]);
});

it('[LIM-3] starts over with the next window, for every caller', async () => {
  const { limiter, advance } = limitedApp(1);
  expect(await limiter.take('a')).toBeUndefined();
  advance(9_999);
  expect(await limiter.take('a')).toBe(1);
  expect(await limiter.take('b')).toBeUndefined();
  advance(1);
  expect(await limiter.take('a')).toBeUndefined();
  expect(await limiter.take('b')).toBeUndefined();
  expect(await limiter.take('a')).toBe(10);
});

it('[LIM-3] can be switched off', async () => {
  for (let count = 0; count < 5_000; count += 1) {
    expect(await noLimiter.take('a')).toBeUndefined();
  }
});

it('[LIM-3] asks the platform where the platform counts, with the credential as the key', async () => {
  const keys: string[] = [];
  const limiter = bindingLimiter({
    async limit({ key }) {
      keys.push(key);
      return { success: keys.length === 1 };
    },
  });
  expect(await limiter.take('key_1')).toBeUndefined();
  expect(await limiter.take('key_1')).toBe(10);
  expect(keys).toEqual(['key_1', 'key_1']);
});
