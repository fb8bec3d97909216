/** A bug here shows one team the sessions of another, or lets it make itself an administrator there. */
import { describe, expect, it } from 'vitest';
import { sign } from '../support/http/credentials.ts';
import { ADMIN_KEY, sharedServer } from '../support/http/server.ts';

const server = await sharedServer();

async function call(method: string, path: string, token: string, body?: unknown) {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const NAME = 'docs-team';
const keyOf = { name: 'olga', scopes: ['admin'] };

async function enter(name: string): Promise<string> {
  const { status, body } = await call('POST', `/v1/workspaces/${name}/keys`, ADMIN_KEY, keyOf);
  expect(status).toBe(201);
  return String(body['secret']);
}

const made = await call('POST', '/v1/workspaces', ADMIN_KEY, { name: NAME, title: 'Docs team' });

describe('[TEAM-8] a workspace', () => {
  it('is made by an administrator of main, once', async () => {
    expect(made).toMatchObject({ status: 201, body: { workspace: { name: NAME } } });
    expect((await call('POST', '/v1/workspaces', ADMIN_KEY, { name: NAME })).status).toBe(400);
    expect((await call('POST', '/v1/workspaces', ADMIN_KEY, { name: 'main' })).status).toBe(400);
    for (const name of ['', 'Upper', 'a/b', '../x', '-a', 'a'.repeat(41)]) {
      expect((await call('POST', '/v1/workspaces', ADMIN_KEY, { name })).status).toBe(400);
    }
    const { body } = await call('GET', '/v1/workspaces', ADMIN_KEY);
    expect(body).toMatchObject({ current: 'main', mayCreate: true });
    expect(body['workspaces']).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ name: 'main' }),
        expect.objectContaining({ name: NAME, title: 'Docs team' }),
      ]),
    );
  });

  it('is entered with a key of its own, and has sessions, keys and an audit list of its own', async () => {
    const inside = await enter(NAME);
    await call('POST', '/v1/sessions', ADMIN_KEY, { id: 'of-main' });
    await call('POST', '/v1/sessions', inside, { id: 'of-docs' });
    expect((await call('GET', '/v1/sessions/of-docs', ADMIN_KEY)).status).toBe(404);
    expect((await call('GET', '/v1/sessions/of-main', inside)).status).toBe(404);
    const audit = await call('GET', '/v1/audit', inside);
    expect(audit.body['entries']).toMatchObject([{ what: 'key', change: 'created', number: 1 }]);
    const home = await call('GET', '/v1/audit?what=workspace', ADMIN_KEY);
    expect(home.body['entries']).toMatchObject([
      { workspace: NAME, change: 'key created', named: 'olga', scopes: ['admin'] },
      { workspace: NAME, change: 'created' },
    ]);
  });

  it('shows its administrators no other, and lets them make none', async () => {
    await call('POST', '/v1/workspaces', ADMIN_KEY, { name: 'other-team' });
    const inside = await enter(NAME);
    const { body } = await call('GET', '/v1/workspaces', inside);
    expect(body).toMatchObject({ workspaces: [{ name: NAME }], current: NAME, mayCreate: false });
    expect((await call('POST', '/v1/workspaces', inside, { name: 'mine' })).status).toBe(403);
    for (const name of ['other-team', 'main', 'never-made']) {
      const at = `/v1/workspaces/${name}`;
      expect((await call('PATCH', at, inside, { title: 'Taken' })).status).toBe(404);
      expect((await call('POST', `${at}/keys`, inside, keyOf)).status).toBe(404);
    }
    expect((await call('POST', '/v1/workspaces/never-made/keys', ADMIN_KEY, keyOf)).status).toBe(
      404,
    );
  });

  it('is renamed by its own administrator, and answers to its name as before', async () => {
    const inside = await enter(NAME);
    const renamed = await call('PATCH', `/v1/workspaces/${NAME}`, inside, { title: 'Handbook' });
    expect(renamed).toMatchObject({ status: 200, body: { workspace: { title: 'Handbook' } } });
    const { body } = await call('GET', '/v1/workspaces', inside);
    expect(body).toMatchObject({ workspaces: [{ name: NAME, title: 'Handbook' }] });
  });

  it('is no way around the scopes', async () => {
    for (const scopes of [['read'], ['agent', 'read', 'answer', 'send']] as const) {
      const token = await sign({ scopes: [...scopes] });
      expect((await call('GET', '/v1/workspaces', token)).status).toBe(403);
      expect((await call('POST', `/v1/workspaces/${NAME}/keys`, token, keyOf)).status).toBe(403);
    }
  });
});
