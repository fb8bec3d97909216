/**
 * A deployment without its secrets serves nothing, because it could not authenticate a caller.
 *
 * A bug would look like a missing secret that counts as an empty secret, with which any caller can sign a
 * token.
 */
import { createExecutionContext, env } from 'cloudflare:test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../src/platform/cloudflare/env.ts';
import type Worker from '../../src/worker.ts';
import { ORIGIN } from './support/api.ts';

const GOOD = {
  HOLDPOINT_SECRET: 'a-secret-of-a-deployment-0000000',
  HOLDPOINT_ADMIN_KEY: 'an-admin-key-of-a-deployment-0000',
};

afterEach(() => {
  vi.restoreAllMocks();
});

let isolates = 0;

/** The Worker as a new isolate would start it: with a query, its module is another one. */
async function freshWorker(): Promise<typeof Worker> {
  isolates += 1;
  const name = `../../src/worker.ts?isolate=${isolates}`;
  return ((await import(name)) as { default: typeof Worker }).default;
}

async function ask(settings: Partial<Env>, headers = {}, path = '/health') {
  const worker = await freshWorker();
  const { SESSION, WORKSPACE, TARGET } = env;
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const request = new Request(`${ORIGIN}${path}`, { headers });
  const response = await worker.fetch(
    request as Parameters<typeof worker.fetch>[0],
    { SESSION, WORKSPACE, TARGET, ...settings },
    createExecutionContext(),
  );
  const body = await response.text();
  const logged = said.mock.calls.map((line) => line.join(' '));
  said.mockRestore();
  return { status: response.status, body, logged };
}

describe('a deployment', () => {
  it('[AUTH-3] without its secrets answers every request with 500 and logs the reason in one line', async () => {
    for (const [settings, name] of [
      [{}, 'HOLDPOINT_SECRET'],
      [{ HOLDPOINT_SECRET: GOOD.HOLDPOINT_SECRET }, 'HOLDPOINT_ADMIN_KEY'],
      [{ HOLDPOINT_ADMIN_KEY: GOOD.HOLDPOINT_ADMIN_KEY }, 'HOLDPOINT_SECRET'],
      [{ ...GOOD, HOLDPOINT_SECRET: 'short' }, 'HOLDPOINT_SECRET'],
      [{ ...GOOD, HOLDPOINT_ADMIN_KEY: '' }, 'HOLDPOINT_ADMIN_KEY'],
    ] as const) {
      for (const path of ['/health', '/', '/v1/sessions']) {
        const { status, body, logged } = await ask(settings, {}, path);
        expect(status).toBe(500);
        expect(JSON.parse(body).error.code).toBe('not_configured');
        expect(logged).toHaveLength(1);
        expect(logged[0]).toContain(name);
        expect(logged[0]).not.toContain('\n');
        for (const text of [body, ...logged]) expect(text).not.toContain(GOOD.HOLDPOINT_SECRET);
      }
    }
  });

  it('[AUTH-3] without secrets refuses an empty credential', async () => {
    for (const Authorization of ['Bearer ', 'Bearer undefined', 'Bearer hp_e30.']) {
      const { status } = await ask({}, { Authorization }, '/v1/keys');
      expect(status).toBe(500);
    }
  });

  it('[AUTH-3] with impossible settings refuses to serve, and names the setting', async () => {
    for (const [settings, name] of [
      [{ HOLDPOINT_TIMEOUTS: '{"approval": 0}' }, 'HOLDPOINT_TIMEOUTS'],
      [{ HOLDPOINT_TIMEOUTS: '{"approval": 1.5}' }, 'HOLDPOINT_TIMEOUTS'],
      [{ HOLDPOINT_TIMEOUTS: 'ten minutes' }, 'HOLDPOINT_TIMEOUTS'],
      [{ HOLDPOINT_ORIGINS: '*' }, 'HOLDPOINT_ORIGINS'],
      [{ HOLDPOINT_ORIGINS: 'https://a.example/path' }, 'HOLDPOINT_ORIGINS'],
      [{ HOLDPOINT_RATE_LIMIT: 'many' }, 'HOLDPOINT_RATE_LIMIT'],
      [{ HOLDPOINT_SESSION_LIMIT: '-1' }, 'HOLDPOINT_SESSION_LIMIT'],
      [{ HOLDPOINT_FORBID_SELF_APPROVAL: 'no' }, 'HOLDPOINT_FORBID_SELF_APPROVAL'],
    ] as const) {
      const { status, logged } = await ask({ ...GOOD, ...settings });
      expect(status).toBe(500);
      expect(logged[0]).toContain(name);
    }
  });

  it('[AUTH-3] with its secrets serves', async () => {
    const { status, logged } = await ask(GOOD);
    expect(status).toBe(200);
    expect(logged).toEqual([]);
    const headers = { Authorization: `Bearer ${GOOD.HOLDPOINT_ADMIN_KEY}` };
    expect((await ask(GOOD, headers, '/v1/keys')).status).toBe(200);
  });
});
