/**
 * The cost of finding a session: nothing on Cloudflare, and one look at a file under plain workerd.
 *
 * A bug here looks like an unknown id that creates a file, or like one more round trip for every request.
 */
import { expect, it } from 'vitest';
import type { Env } from '../../src/platform/cloudflare/env.ts';
import {
  StartedObjects,
  findSession,
  newSessionStub,
} from '../../src/platform/cloudflare/stubs.ts';

const CONTEXT = {
  caller: { credential: 'k', subject: 'agent', via: 'api', scopes: ['agent'] },
  timeouts: {},
} as const;

/** Counts the calls out of the Worker: requests for files, and calls or requests to objects. */
function countingEnv(hasFiles: boolean) {
  const trips: string[] = [];
  const called = (name: string) => {
    trips.push(`object ${name}`);
    return { ok: true };
  };
  const object = new Proxy({}, { get: (_object, name) => async () => called(String(name)) });
  const env = {
    SESSION: { getByName: () => object, get: () => object, idFromName: (name: string) => name },
    ...(hasFiles && {
      SESSION_FILES: {
        async fetch(address: string) {
          trips.push('file');
          return new Response(null, { status: address.includes('started') ? 200 : 404 });
        },
      },
    }),
  } as unknown as Env;
  const started = new StartedObjects(env.SESSION, env.SESSION_FILES);
  return {
    trips,
    find: (id: string) => findSession(env, started, 'main', id),
    create: (id: string) =>
      newSessionStub(env, started, 'main', id).handle({ type: 'session.create', id }, CONTEXT),
  };
}

it('[LOG-12] finds a session on Cloudflare without leaving the Worker', async () => {
  const { trips, find } = countingEnv(false);
  expect((await find('unknown')).ok).toBe(true);
  expect(trips).toEqual([]);
});

it('[LOG-12] looks up a file once where sessions are files, and wakes no object', async () => {
  const { trips, find } = countingEnv(true);
  expect(await find('unknown')).toMatchObject({ ok: false, code: 'not_found' });
  expect((await find('started')).ok).toBe(true);
  expect((await find('started')).ok).toBe(true);
  expect(trips).toEqual(['file', 'file']);
});

it('[LOG-12] looks up no file of a session that this Worker has created', async () => {
  const { trips, find, create } = countingEnv(true);
  expect((await create('new')).ok).toBe(true);
  expect((await find('new')).ok).toBe(true);
  expect(trips).toEqual(['object handle']);
});
