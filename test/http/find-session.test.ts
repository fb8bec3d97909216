/** A request finds its session once, and after every check that needs no session. */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { reject } from '../../src/protocol/errors.ts';
import { fakePorts, GOOD } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

const UNKNOWN = reject('not_found', 'There is no such session');

function appWithoutSessions() {
  const lookups: string[] = [];
  const ports = fakePorts({
    async findSession(_workspace, id) {
      lookups.push(id);
      return UNKNOWN;
    },
  });
  return { lookups, app: createApp(ports) };
}

it.each([
  ['GET', '/v1/sessions/one', undefined],
  ['POST', '/v1/sessions/one/messages', { text: 'Hello' }],
  ['GET', '/v1/sessions/one/interactions/call~1?wait=5', undefined],
])('[LOG-12] %s %s looks for the session once', async (method, path, json) => {
  const { app, lookups } = appWithoutSessions();
  const body = json && JSON.stringify(json);
  const response = await app.fetch(
    requestTo(path, { method, headers: GOOD, ...(body && { body }) }),
  );
  expect([response.status, lookups]).toEqual([404, ['one']]);
});

it.each([
  ['a session id of another form', 'GET', '/v1/sessions/%20', 404],
  ['a body without its fields', 'POST', '/v1/sessions/one/messages', 400],
  ['a wrong query', 'GET', '/v1/sessions/one/events?after=x', 400],
  ['a socket without an upgrade', 'GET', '/v1/sessions/one/socket', 426],
  ['a list of the workspace', 'GET', '/v1/keys', 500],
])('[LOG-12] looks for no session for %s', async (_name, method, path, status) => {
  const { app, lookups } = appWithoutSessions();
  const body = method === 'POST' ? '{}' : null;
  const response = await app.fetch(requestTo(path, { method, headers: GOOD, body }));
  expect([response.status, lookups]).toEqual([status, []]);
});
