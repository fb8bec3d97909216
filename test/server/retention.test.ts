/** A bug here counts an export that a reader took, or one that was cut off, as a copy that is safe. */
import { describe, expect, it } from 'vitest';
import { sign } from '../support/http/credentials.ts';
import { sharedServer } from '../support/http/server.ts';

const server = await sharedServer();
const workspace = 'of-retention';
const admin = await sign({ scopes: ['admin'], workspace });
const reader = await sign({ scopes: ['read'], workspace });

async function call(method: string, path: string, token: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response;
}

const exported = async (token: string) =>
  (await call('GET', '/v1/sessions/kept/export', token)).text();

describe('[TEAM-9] an export before the deletion', () => {
  it('counts if an administrator took it to its end', async () => {
    await call('POST', '/v1/sessions', admin, { id: 'kept' });
    // Of this age is nothing yet: the preview answers, and deletes nothing.
    const preview = await call('POST', '/v1/retention/preview', admin, { days: 1 });
    expect(await preview.json()).toMatchObject({ preview: { sessions: [], isPartial: false } });
    expect((await exported(reader)).trim().split('\n')).toHaveLength(2);
    expect(await exported(admin)).toBe(await exported(reader));
  });

  it('is a setting of administrators', async () => {
    const retention = { days: 30, exportFirst: true };
    const put = await call('PUT', '/v1/settings', admin, { timeouts: {}, retention });
    expect(await put.json()).toMatchObject({ settings: { retention } });
    expect((await call('POST', '/v1/retention/preview', reader, retention)).status).toBe(403);
    const wrong = { timeouts: {}, retention: { days: 0 } };
    expect((await call('PUT', '/v1/settings', admin, wrong)).status).toBe(400);
  });
});
