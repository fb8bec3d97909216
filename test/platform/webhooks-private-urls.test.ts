/** No request of this service goes to an address that only the server can reach. */
import { expect, it } from 'vitest';
import { httpTools } from '../../src/platform/http-tools/http-tools.ts';
import { webhookSender } from '../../src/platform/webhooks/send-webhook.ts';
import { PRIVATE_URLS } from '../support/private-urls.ts';
import { CALL } from './http-tools/calls.ts';

const called: string[] = [];
const fetched = async (url: string): Promise<Response> => {
  called.push(url);
  return new Response('reached');
};

it('[OUT-3, RUN-8] more than two hundred private addresses and names get no request', async () => {
  expect(new Set(PRIVATE_URLS).size).toBeGreaterThanOrEqual(200);
  const send = webhookSender({ fetch: fetched, allowPrivate: false });
  const tools = httpTools({
    signingSecret: 'a secret of at least 24 chars',
    fetch: fetched,
    now: () => 0,
    allowPrivate: false,
  });
  for (const url of PRIVATE_URLS) {
    const reply = await send({ url, headers: {}, body: '{}' });
    expect(reply.problem, url).toContain('Not sent');
    const output = await tools.call({ ...CALL, url }, new AbortController().signal);
    expect(output.isError, url).toBe(true);
  }
  expect(called).toEqual([]);
});

it('[OUT-3] follows no redirect, and reads no more than 64 KiB of a response', async () => {
  const inits: RequestInit[] = [];
  let pulled = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(16 * 1_024).fill(120));
      },
    });
  const send = webhookSender({
    allowPrivate: false,
    fetch: async (_url, init) => {
      inits.push(init);
      return inits.length === 1
        ? new Response(endless())
        : new Response(null, { status: 302, headers: { location: 'https://127.0.0.1/' } });
    },
  });
  const request = { url: 'https://hooks.example.com/', headers: {}, body: '{}' };
  const { text } = await send(request);
  expect(text).toHaveLength(64 * 1_024);
  expect(pulled).toBeLessThan(10);
  expect(await send(request)).toMatchObject({
    status: 302,
    problem: expect.stringContaining('redirect'),
  });
  expect(inits.map(({ redirect }) => redirect)).toEqual(['manual', 'manual']);
});
