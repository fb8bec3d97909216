/** A bug here looks like a caller who fills the disk by guessing names of workspaces. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { nodeDatabase } from '../../src/platform/sqlite/database.ts';
import { WORKSPACE_MIGRATIONS } from '../../src/platform/sqlite/migrations.ts';
import { SqliteWorkspaceStore } from '../../src/platform/sqlite/workspace-store.ts';
import { OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

function tables(harness: Pick<WorkspaceHarness, 'database'>): unknown[] {
  return harness.database.all('SELECT name FROM sqlite_master');
}

describe('a workspace that was never written', () => {
  it('is empty, and reading it creates no tables', async () => {
    const harness = new WorkspaceHarness();
    const { workspace } = harness;
    expect(valueOf(workspace.sessions({}))).toEqual({ sessions: [] });
    expect(valueOf(workspace.inbox({}))).toEqual({ interactions: [], total: 0, now: harness.now });
    expect(valueOf(workspace.audit({}))).toEqual({ entries: [], head: null });
    expect(workspace.credentials.listKeys()).toEqual([]);
    expect(valueOf(workspace.credentials.tokens({}))).toEqual({ tokens: [] });
    expect(workspace.policy()).toEqual({ revoked: [], settings: { timeouts: {} } });
    expect(await workspace.credentials.revokeKey('key_1', OLGA)).toMatchObject({
      code: 'not_found',
    });
    expect(harness.armed).toEqual([]);
    expect(tables(harness)).toEqual([]);
  });

  it('is created in the transaction of its first write, or not at all', () => {
    const harness = new WorkspaceHarness();
    expect(() =>
      harness.store.write(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(tables(harness)).toEqual([]);
    expect(valueOf(harness.workspace.sessions({}))).toEqual({ sessions: [] });
    harness.workspace.credentials.createKey({ name: 'ci', scopes: ['read'] }, OLGA);
    expect(harness.workspace.credentials.listKeys()).toHaveLength(1);
  });
});

describe('the store', () => {
  it('knows its stored name when the platform does not pass it', () => {
    const database = nodeDatabase(new DatabaseSync(':memory:'));
    const store = new SqliteWorkspaceStore(database, WORKSPACE_MIGRATIONS, 'main');
    expect(new SqliteWorkspaceStore(database, WORKSPACE_MIGRATIONS).name()).toBe(undefined);
    store.write(() => undefined);
    expect(new SqliteWorkspaceStore(database, WORKSPACE_MIGRATIONS).name()).toBe('main');
  });

  it('brings an older schema up to date before it reads', () => {
    const database = nodeDatabase(new DatabaseSync(':memory:'));
    new SqliteWorkspaceStore(database, WORKSPACE_MIGRATIONS).write(() => undefined);
    const next = 'CREATE TABLE later (x INTEGER) STRICT;';
    const store = new SqliteWorkspaceStore(database, [...WORKSPACE_MIGRATIONS, next]);
    expect(store.keys.list()).toEqual([]);
    expect(database.all('SELECT * FROM later')).toEqual([]);
  });
});
