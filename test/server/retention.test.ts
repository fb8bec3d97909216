/** A bug here counts an export that a reader took, or one that was cut off, as a copy that is safe. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { sign } from '../support/http/credentials.ts';
import { startServer } from '../support/http/server.ts';

const server = await startServer();
const admin = await sign({ scopes: ['admin'] });
const reader = await sign({ scopes: ['read'] });

/** Every session was active long ago: no test waits for a day. */
async function age(): Promise<void> {
  await server.restart('stop', async () => {
    const folder = path.join(server.dataDir, 'storage', 'workspace');
    const files = readdirSync(folder).filter((name) => /^[0-9a-f]+\.sqlite$/.test(name));
    for (const name of files) {
      const workspace = new DatabaseSync(path.join(folder, name));
      workspace.exec('UPDATE session SET active_at = 1');
      workspace.close();
    }
  });
}

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
  it('counts if an administrator took it to its end, and not if a reader did', async () => {
    await call('POST', '/v1/sessions', admin, { id: 'kept' });
    const listed = async () => (await (await call('GET', '/v1/sessions', admin)).json()) as object;
    await expect.poll(listed).toMatchObject({ sessions: [{ id: 'kept' }] });
    await age();
    const preview = async () => {
      const asked = { days: 1, exportFirst: true };
      const reply = await call('POST', '/v1/retention/preview', admin, asked);
      return ((await reply.json()) as { preview: object }).preview;
    };
    const keeps = { sessions: [], kept: { notExported: 1 }, isPartial: false };
    expect(await preview()).toMatchObject(keeps);
    const lines = await exported(reader);
    expect(lines.trim().split('\n')).toHaveLength(2);
    expect(await preview()).toMatchObject(keeps);
    expect(await exported(admin)).toBe(lines);
    expect(await preview()).toMatchObject({ sessions: [{ id: 'kept' }], kept: { notExported: 0 } });
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
