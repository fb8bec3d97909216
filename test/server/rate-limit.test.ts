/**
 * Limits of a running server: the requests and frames of a key and of all tokens made from it count together.
 *
 * A bug here looks like a token that creates its successor with each request and so is never limited.
 */
import { expect, it } from 'vitest';
import { ask, send } from '../support/http/call.ts';
import { keyWith } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';
import { openSocket } from '../support/http/web-socket.ts';

const LIMIT = 50;
const server = await startServer({
  HOLDPOINT_RATE_LIMIT: String(LIMIT),
  HOLDPOINT_SESSION_LIMIT: '20',
});
const SESSION = 'limited';
await ask(server, { method: 'POST', path: '/v1/sessions', json: { id: SESSION } });

it('[LIM-3] limits a credential that creates its own successors', async () => {
  let token = await keyWith('read', 'answer');
  const statuses: number[] = [];
  for (let count = 0; count < 3 * LIMIT; count += 1) {
    const { status, text } = await send(server, {
      method: 'POST',
      path: '/v1/tokens',
      json: { scopes: ['read', 'answer'] },
      token,
    });
    statuses.push(status);
    const { token: made } = JSON.parse(text) as { token?: string };
    // A chain of a few tokens is enough, and keeps the token short.
    if (made !== undefined && count < 5) token = made;
  }
  // The windows are fixed, so one may have ended in between.
  const accepted = statuses.filter((status) => status === 201).length;
  expect(accepted).toBeLessThanOrEqual(2 * LIMIT);
  expect(statuses).toContain(429);
});

it('[LIM-3] counts frames with the requests, and answers a refused frame', async () => {
  const token = await keyWith('read', 'send');
  const socket = await openSocket(server, { session: SESSION, token });
  for (let n = 1; n <= 2 * LIMIT; n += 1) socket.send({ type: 'interrupt', id: `f${n}` });
  const refused = await socket.until(
    ({ type, error }) => type === 'error' && JSON.stringify(error).includes('rate_limited'),
  );
  expect(refused).toMatchObject({ error: { details: { retryAfterSeconds: expect.any(Number) } } });
  await socket.until(({ type, id }) => type === 'result' && id === `f${2 * LIMIT}`);
  const results = socket.frames.filter(({ type }) => type === 'result');
  expect(results).toHaveLength(2 * LIMIT);
  const { status } = await send(server, { method: 'GET', path: `/v1/sessions/${SESSION}`, token });
  expect([200, 429]).toContain(status);
  socket.close();
});

it('[LIM-3] limits new sessions separately, and only for their caller', async () => {
  const [busy, calm] = [await keyWith('agent'), await keyWith('agent')];
  const begin = (token: string) =>
    send(server, { method: 'POST', path: '/v1/sessions', json: {}, token });
  const replies = await Promise.all(Array.from({ length: 45 }, () => begin(busy)));
  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(40);
  const refused = replies.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await begin(calm)).status).toBe(201);
  const open = { kind: 'approval', toolName: 'Bash', input: {} };
  const path = `/v1/sessions/${SESSION}/interactions`;
  expect((await send(server, { method: 'POST', path, json: open, token: busy })).status).toBe(201);
});
