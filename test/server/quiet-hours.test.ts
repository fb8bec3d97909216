/** Quiet hours over HTTP: one's own, those of others, and everyone who may not set any. */
import { expect, it } from 'vitest';
import { ask, send } from '../support/http/call.ts';
import { keyWith, sessionToken, sign } from '../support/http/credentials.ts';
import { startRoutes } from '../support/http/local-app.ts';

const server = await startRoutes();
const NIGHT = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' };
const ME = '/v1/me/quiet-hours';
const of = (subject: string) => `/v1/people/${encodeURIComponent(subject)}/quiet-hours`;
const person = (subject: string) => sign({ kind: 'person', subject, scopes: ['read'] });

it('[ROUTE-7] a person has the own hours, and an administrator those of anyone', async () => {
  const [ada, bo] = [await person('Ada L'), await person('Bo')];
  const set = await ask(server, { method: 'PUT', path: ME, json: NIGHT, token: ada });
  expect(set).toMatchObject({ quietHours: NIGHT });
  expect(await ask(server, { method: 'GET', path: ME, token: bo })).toMatchObject({
    quietHours: null,
  });
  expect(await ask(server, { method: 'GET', path: of('Ada L') })).toMatchObject({
    quietHours: NIGHT,
  });
  await ask(server, { method: 'PUT', path: of('Bo'), json: { ...NIGHT, to: '08:00' } });
  expect(await ask(server, { method: 'GET', path: ME, token: bo })).toMatchObject({
    quietHours: { to: '08:00' },
  });
  for (const request of [{ path: ME, token: ada }, { path: of('Bo') }]) {
    expect((await send(server, { method: 'DELETE', ...request })).status).toBe(204);
  }
  expect(await ask(server, { method: 'GET', path: of('Ada L') })).toMatchObject({
    quietHours: null,
  });
  expect(await ask(server, { method: 'GET', path: ME, token: bo })).toMatchObject({
    quietHours: null,
  });
});

it('[ROUTE-7] an agent, a token of one session and another person are refused', async () => {
  const bo = await person('Bo');
  const refused = [
    { path: ME, token: await keyWith('agent') },
    { path: ME, token: await keyWith('agent', 'read', 'answer') },
    { path: ME, token: await sessionToken('quiet-session', 'read', 'answer') },
    { path: of('Ada'), token: bo },
    { path: of('Bo'), token: bo },
  ];
  for (const { path, token } of refused) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const json = method === 'PUT' ? { json: NIGHT } : {};
      const { status } = await send(server, { method, path, token, ...json });
      expect([method, path, status]).toEqual([method, path, 403]);
    }
  }
});
