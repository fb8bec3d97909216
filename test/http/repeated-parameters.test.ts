/** Two programs read a repeated query parameter differently: the first value counts, or the last. */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { ErrorBody } from '../../src/protocol/schema/rejection.ts';
import { fakePorts, GOOD } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const get = (path: string) => createApp(fakePorts()).fetch(requestTo(path, { headers: GOOD }));

it.each([
  ['/v1/sessions?limit=1&limit=2', 'limit'],
  ['/v1/sessions?limit=1&limit=1', 'limit'],
  ['/v1/sessions?limit=1&%6cimit=2', 'limit'],
  ['/v1/sessions/one/events?after=1&limit=5&after=2', 'after'],
  ['/v1/sessions/one/interactions/call~1?wait=1&wait=', 'wait'],
  ['/v1/audit?nothing=1&nothing=2', 'nothing'],
])('[LIM-1] refuses %s, naming the repeated parameter', async (path, name) => {
  const response = await get(path);
  const { error } = ErrorBody.parse(await response.json());
  expect([response.status, error.code, error.message]).toEqual([
    400,
    'invalid_request',
    `${name}: Give it once`,
  ]);
  expect(error.details).toEqual({ issues: [{ path: name, message: 'Give it once' }] });
});

it('opens a public page with any query parameters', async () => {
  expect((await get('/health?from=a&from=b')).status).toBe(200);
});
