/** A bug here looks like a key that is off the list and still works. */
import { describe, expect, it } from 'vitest';
import type { Rejection } from '../../src/protocol/errors.ts';
import { LIMITS } from '../../src/protocol/limits.ts';
import { type KeyView, ListedKey } from '../../src/protocol/schema/workspace.ts';
import { MINUTE, OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

function made(key: KeyView | Rejection): KeyView {
  if ('ok' in key) throw new Error(key.message);
  return key;
}

describe('keys of a workspace', () => {
  it('are listed, newest first, without a secret', () => {
    const harness = new WorkspaceHarness();
    const expiresAt = harness.now + MINUTE;
    const key = harness.workspace.credentials.createKey(
      { name: 'ci', scopes: ['agent', 'read', 'read'] },
      OLGA,
    );
    expect(key).toEqual({
      id: 'key_000001',
      name: 'ci',
      scopes: ['agent', 'read'],
      createdAt: harness.now,
      createdBy: 'olga',
      expiresAt: null,
    });
    harness.workspace.credentials.createKey({ name: 'bot', scopes: ['answer'], expiresAt }, OLGA);
    const keys = harness.workspace.credentials.listKeys();
    expect(keys.map(({ name }) => name)).toEqual(['bot', 'ci']);
    expect(keys[0]?.expiresAt).toBe(expiresAt);
    for (const one of keys) expect(ListedKey.safeParse(one).success).toBe(true);
  });

  it('[AUTH-7] a revoked key leaves the list, is in the policy, and its sockets are closed', async () => {
    const harness = new WorkspaceHarness();
    const { id } = made(
      harness.workspace.credentials.createKey({ name: 'ci', scopes: ['read'] }, OLGA),
    );
    harness.workspace.credentials.watch([id], 's-1', null);
    expect(await harness.workspace.credentials.revokeKey(id, OLGA)).toEqual({ ok: true });
    expect(harness.workspace.credentials.listKeys()).toEqual([]);
    expect(harness.workspace.policy().revoked).toEqual([id]);
    expect(harness.revoked).toEqual([`${id} at s-1`]);
  });

  it('an unknown or removed key is not found', async () => {
    const harness = new WorkspaceHarness();
    expect(await harness.workspace.credentials.revokeKey('key_x', OLGA)).toMatchObject({
      code: 'not_found',
    });
    const { id } = made(
      harness.workspace.credentials.createKey({ name: 'ci', scopes: ['read'] }, OLGA),
    );
    await harness.workspace.credentials.revokeKey(id, OLGA);
    expect(await harness.workspace.credentials.revokeKey(id, OLGA)).toMatchObject({
      code: 'not_found',
    });
    expect(valueOf(harness.workspace.audit({})).entries).toHaveLength(2);
  });

  it('[AUTH-5] the audit list holds who created and revoked a key, and from where', async () => {
    const harness = new WorkspaceHarness();
    const { id } = made(
      harness.workspace.credentials.createKey({ name: 'ci', scopes: ['read'] }, OLGA),
    );
    await harness.workspace.credentials.revokeKey(id, { subject: 'ada', via: 'web' });
    await harness.workspace.credentials.revoke('tok', null, OLGA);
    const { entries } = valueOf(harness.workspace.audit({}));
    const { now: at } = harness;
    const olga = { at, subject: 'olga', via: 'cli' };
    const made1 = { key: id, change: 'created', named: 'ci', scopes: ['read'] };
    expect(entries).toMatchObject([
      { ...olga, seq: 3, what: 'token', token: 'tok', change: 'revoked' },
      {
        at,
        seq: 2,
        what: 'key',
        subject: 'ada',
        via: 'web',
        key: id,
        change: 'revoked',
        named: 'ci',
      },
      { ...olga, seq: 1, what: 'key', ...made1 },
    ]);
  });

  it('[API-2] created again under the same name, it is the same key', () => {
    const harness = new WorkspaceHarness();
    const ask = (scopes: ('read' | 'agent')[]) =>
      harness.workspace.credentials.createKey({ name: 'ci', scopes }, OLGA, 'same-name');
    const first = made(ask(['read']));
    expect(made(ask(['read']))).toEqual(first);
    expect(ask(['read', 'agent'])).toMatchObject({ code: 'idempotency_key_reused' });
    expect(harness.workspace.credentials.listKeys()).toMatchObject([first]);
  });

  it('[LIM-2] one more than 1,000 that have not expired is refused, until one is revoked or expires', async () => {
    const harness = new WorkspaceHarness();
    const ask = (name = 'ci') =>
      harness.workspace.credentials.createKey({ name, scopes: ['read'] }, OLGA);
    const expiresAt = harness.now + MINUTE;
    const first = made(
      harness.workspace.credentials.createKey({ name: 'a', scopes: ['read'], expiresAt }, OLGA),
    );
    harness.store.write(() => {
      for (let count = 1; count < LIMITS.keys; count += 1)
        harness.store.keys.add({ ...first, id: `key_${count}`, expiresAt: null });
    });
    const refused = { code: 'limit_reached', details: { limit: 'keys', max: LIMITS.keys } };
    expect(ask()).toMatchObject(refused);
    expect(valueOf(harness.workspace.audit({})).entries).toHaveLength(1);
    await harness.workspace.credentials.revokeKey('key_1', OLGA);
    made(ask());
    expect(ask()).toMatchObject(refused);
    harness.now = expiresAt;
    expect(harness.workspace.credentials.listKeys().some(({ id }) => id === first.id)).toBe(false);
    made(ask('again'));
    expect(harness.store.keys.find(first.id)).toBeUndefined();
    expect(harness.workspace.credentials.listKeys()).toHaveLength(LIMITS.keys);
  });

  it('a scope of another version is not shown', () => {
    const harness = new WorkspaceHarness();
    const key = harness.workspace.credentials.createKey({ name: 'ci', scopes: ['read'] }, OLGA);
    harness.database.run('UPDATE api_key SET scopes = ?', '["read","fly"]');
    expect(harness.workspace.credentials.listKeys()).toMatchObject([key]);
  });
});

describe('[TEAM-5] the use of a key', () => {
  it('is written once an hour, and shown with the tokens that end with the key', () => {
    const harness = new WorkspaceHarness();
    const { workspace } = harness;
    const key = workspace.credentials.createKey({ name: 'ci', scopes: ['agent'] }, OLGA);
    const id = 'id' in key ? key.id : '';
    expect(workspace.credentials.listKeys()[0]).toMatchObject({ usedAt: null, tokens: 0 });
    const token = { subject: 'ada', scopes: ['read' as const], session: null, maker: id };
    const expiresAt = harness.now + 1_000;
    workspace.credentials.recordToken(
      { ...token, id: 'tok_1', expiresAt, chain: ['tok_1', id] },
      OLGA,
      false,
    );
    const first = harness.now;
    workspace.policy([{ key: id, at: first }]);
    harness.changes = 0;
    workspace.policy([
      { key: id, at: first + 60_000 },
      { key: 'key_unknown', at: first },
    ]);
    expect(harness.changes).toBe(0);
    expect(workspace.credentials.listKeys()[0]).toMatchObject({ usedAt: first, tokens: 1 });
    harness.now += 3_600_000;
    // The clock of an isolate may be ahead.
    workspace.policy([{ key: id, at: harness.now + 900_000 }]);
    expect(workspace.credentials.listKeys()[0]).toMatchObject({ usedAt: harness.now, tokens: 0 });
  });
});
