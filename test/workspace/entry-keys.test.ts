/**
 * Keys of other workspaces that end with the credential that made them. A bug here looks like somebody who was locked out of
 * the first workspace and is still in another one.
 */
import { describe, expect, it } from 'vitest';
import { MINUTE, OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const HOUR = 60 * MINUTE;

function open() {
  const harness = new WorkspaceHarness();
  const key = harness.workspace.credentials.createKey({ name: 'olga', scopes: ['admin'] }, OLGA);
  if ('ok' in key) throw new Error(key.message);
  const note = (keyId: string, hours: number | undefined, chain: readonly string[] = [key.id]) =>
    harness.workspace.noteWorkspaceKey(
      {
        workspace: 'docs',
        keyId,
        chain,
        name: 'way in',
        scopes: ['admin'],
        ...(hours !== undefined && { expiresAt: harness.now + hours * HOUR }),
      },
      OLGA,
    );
  return { harness, key, note };
}

describe('[TEAM-8] a key of another workspace', () => {
  it('ends with the key that made it, if it is a way in', async () => {
    const { harness, key, note } = open();
    for (const [id, hours] of [
      ['key_way', 8],
      ['key_day', 24],
      ['key_week', 168],
      ['key_always', undefined],
    ] as const) {
      expect(note(id, hours)).toEqual({ ok: true });
    }
    expect(harness.ended).toEqual([]);
    await harness.workspace.credentials.revokeKey(key.id, OLGA);
    expect(harness.ended.toSorted()).toEqual(['key_day in docs', 'key_way in docs']);
    expect(harness.revoked).toEqual([]);
  });

  it('ends with any credential from which its maker descends', async () => {
    const { harness, note } = open();
    note('key_way', 8, ['sgn_1', 'per_1']);
    await harness.workspace.credentials.revoke('per_1', null, OLGA);
    expect(harness.ended).toEqual(['key_way in docs']);
  });

  it('ends also where the other workspace was out of reach, and after this object woke again', async () => {
    const { harness, key, note } = open();
    note('key_way', 8);
    harness.unreachable.add('docs');
    await harness.workspace.credentials.revokeKey(key.id, OLGA);
    expect(harness.ended).toEqual([]);
    harness.wake();
    harness.unreachable.clear();
    await harness.pass(MINUTE);
    expect(harness.ended).toEqual(['key_way in docs']);
    await harness.pass(HOUR);
    expect(harness.ended).toHaveLength(1);
  });

  it('is made by no credential that has ended, and noted before it is made', async () => {
    const { harness, key, note } = open();
    await harness.workspace.credentials.revokeKey(key.id, OLGA);
    expect(note('key_late', 8)).toMatchObject({ ok: false, code: 'unauthenticated' });
    const changes = valueOf(harness.workspace.audit({})).entries.map((one) =>
      'change' in one ? one.change : '',
    );
    expect(changes).toEqual(['revoked', 'created']);
  });

  it('is revoked in its workspace, made or not', async () => {
    const { harness } = open();
    const { credentials } = harness.workspace;
    const made = credentials.createKey({ name: 'way in', scopes: ['admin'] }, OLGA, 'known');
    if ('ok' in made) throw new Error(made.message);
    credentials.watch([made.id], 's-1', null);
    await credentials.endKey(made.id, true);
    expect(harness.revoked).toEqual([`${made.id} at s-1`]);
    await credentials.endKey('key_not_yet', true);
    expect(harness.workspace.policy().revoked.toSorted()).toEqual(
      [made.id, 'key_not_yet'].toSorted(),
    );
  });
});
