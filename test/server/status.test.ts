/** A bug here shows a reader of the inbox more than the inbox, or a key that is in use as unused. */
import { describe, expect, it } from 'vitest';
import { sign } from '../support/http/credentials.ts';
import { sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
const workspace = 'of-status';
const admin = await sign({ scopes: ['admin'], workspace });
const reader = await sign({ scopes: ['read'], workspace });

async function call<Body>(method: string, path: string, token: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Body;
}

interface MadeKey {
  readonly key: { readonly id: string };
  readonly secret: string;
}
interface Keys {
  readonly keys: readonly { readonly id: string; readonly usedAt: number | null }[];
}

describe('[TEAM-6] GET /v1/status', () => {
  it('shows a reader what waits, and an administrator the rest', async () => {
    const { secret } = await call<MadeKey>('POST', '/v1/keys', admin, {
      name: 'bot',
      scopes: ['agent', 'read'],
    });
    await call('POST', '/v1/sessions', secret, { id: 'waits' });
    const asked = { kind: 'approval', toolName: 'Bash', toolCallId: 'call-1', input: {} };
    await call('POST', '/v1/sessions/waits/interactions', secret, asked);
    const held = new AbortController();
    const path = `/v1/sessions/waits/interactions/${encodeURIComponent('call-1~1')}?wait=20`;
    const waiting = fetch(server.url + path, {
      headers: { Authorization: `Bearer ${secret}` },
      signal: held.signal,
    }).catch(() => undefined);
    const status = () => call<Record<string, unknown>>('GET', '/v1/status', admin);
    await expect
      .poll(status, { timeout: 10_000 })
      .toMatchObject({ open: 1, agents: { connected: 1, sessions: 1, isPartial: false } });
    expect(Object.keys(await status()).toSorted()).toEqual([
      'agents',
      'answers',
      'now',
      'oldestOpenedAt',
      'open',
      'targets',
    ]);
    const shown = await call<Record<string, unknown>>('GET', '/v1/status', reader);
    expect(Object.keys(shown).toSorted()).toEqual(['now', 'oldestOpenedAt', 'open']);
    held.abort();
    await waiting;
    const answer = { answer: { decision: 'approve' } };
    await call('POST', `/v1/sessions/waits/interactions/call-1~1/answer`, admin, answer.answer);
    await expect.poll(status, { timeout: 10_000 }).toMatchObject({
      open: 0,
      answers: { day: { kinds: [{ kind: 'approval', count: 1 }] } },
    });
  });
});

describe('[TEAM-5] the use of a key', () => {
  it('is shown with the next list of keys', async () => {
    const { key, secret } = await call<MadeKey>('POST', '/v1/keys', admin, {
      name: 'used',
      scopes: ['read'],
    });
    const usedAt = async () =>
      (await call<Keys>('GET', '/v1/keys', admin)).keys.find(({ id }) => id === key.id)?.usedAt;
    expect(await usedAt()).toBeNull();
    await call('GET', '/v1/inbox', secret);
    expect(await usedAt()).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('[TEAM-7] the mode of new sessions', () => {
  it('is that of the workspace, unless the session names one', async () => {
    const settings = { timeouts: {}, permissionMode: 'plan' };
    await call('PUT', '/v1/settings', admin, settings);
    const mode = async (body: object) => {
      const made = await call<{ session: { permissionMode: string } }>(
        'POST',
        '/v1/sessions',
        admin,
        body,
      );
      return made.session.permissionMode;
    };
    expect(await mode({})).toBe('plan');
    expect(await mode({ permissionMode: 'default' })).toBe('default');
    const refused = { timeouts: {}, permissionMode: 'bypassPermissions' };
    expect(await call('PUT', '/v1/settings', admin, refused)).toMatchObject({
      error: { code: 'invalid_request' },
    });
  });
});
