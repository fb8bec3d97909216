/** Who reads the version and the model of a server. A bug here tells a stranger which known faults to try. */
import { expect, it } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { fakePorts } from '../support/http/fake-ports.ts';
import { requestTo } from '../support/http/request-to.ts';

it.each([
  ['a valid credential', { Authorization: 'Bearer good' }, { version: '0.0.0', agent: 'none' }],
  ['no credential', {}, {}],
  ['a credential that is over', { Authorization: 'Bearer over' }, {}],
  ['a malformed credential', { Authorization: 'Basic good' }, {}],
])('[RUN-9] /health with %s', async (_what, headers: Record<string, string>, more) => {
  const response = await createApp(fakePorts()).fetch(requestTo('/health', { headers }));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ok: true, ...more });
});
