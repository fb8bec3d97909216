/**
 * A bug here would look like this: a key is revoked, the page says so, and a socket that was open
 * before goes on hearing everything.
 */
import { describe, expect, it } from 'vitest';
import { MINUTE, OLGA, WorkspaceHarness } from './workspace-harness.ts';

describe('[AUTH-7] revoking', () => {
  it('is told to every session where the credential may have a socket, and to no other', async () => {
    const harness = new WorkspaceHarness();
    expect(harness.workspace.watch(['tok', 'key'], 's-1', null)).toBe(false);
    expect(harness.workspace.watch(['key'], 's-2', null)).toBe(false);
    expect(harness.workspace.watch(['other'], 's-3', null)).toBe(false);
    await harness.workspace.revoke('key', null, OLGA);
    expect(harness.revoked).toEqual(['key at s-1', 'key at s-2']);
    await harness.pass(MINUTE);
    expect(harness.revoked).toHaveLength(2);
    expect(harness.armedAt).toBe(null);
  });

  it('reaches ten thousand sessions', async () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < 10_000; n += 1) harness.workspace.watch(['key'], `s-${n}`, null);
    await harness.workspace.revoke('key', null, OLGA);
    expect(new Set(harness.revoked).size).toBe(10_000);
  });

  it('is tried again every ten seconds until the session was told, also after sleep', async () => {
    const harness = new WorkspaceHarness();
    harness.workspace.watch(['key'], 's-1', null);
    harness.workspace.watch(['key'], 's-2', null);
    harness.unreachable.add('s-1');
    await harness.workspace.revoke('key', null, OLGA);
    expect(harness.revoked).toEqual(['key at s-2']);
    expect(harness.armedAt).toBe(harness.now + 10_000);
    await harness.pass(30_000);
    harness.wake();
    await harness.pass(30_000);
    expect(harness.warned.length).toBeGreaterThan(3);
    harness.unreachable.clear();
    await harness.pass(10_000);
    expect(harness.revoked).toEqual(['key at s-2', 'key at s-1']);
    expect(harness.armedAt).toBe(null);
  });

  it('is told after a crash between the write and the call', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.watch(['key'], 's-1', null);
    void harness.workspace.revoke('key', null, OLGA);
    expect(harness.armedAt).toBe(harness.now + 10_000);
    harness.armedAt = null;
    harness.store.write(() =>
      harness.store.revocations.addWatcher({ credential: 'key', sessionId: 's-1' }, null),
    );
    harness.wake();
    expect(harness.armedAt).toBe(harness.now + 1);
  });

  it('refuses a socket that attaches in the same moment', async () => {
    const harness = new WorkspaceHarness();
    await harness.workspace.revoke('key', null, OLGA);
    harness.changes = 0;
    expect(harness.workspace.watch(['tok', 'key'], 's-1', null)).toBe(true);
    expect(harness.changes).toBe(0);
  });

  it('a watcher that is known costs no row', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.watch(['tok', 'key'], 's-1', harness.now + MINUTE);
    harness.changes = 0;
    harness.workspace.watch(['tok', 'key'], 's-1', harness.now + MINUTE);
    harness.workspace.watch(['tok', 'key'], 's-1', harness.now);
    expect(harness.changes).toBe(0);
  });

  it('a key is watched as long as the longest of the tokens made from it', async () => {
    const harness = new WorkspaceHarness();
    harness.workspace.watch(['tok-1', 'key'], 's-1', harness.now + MINUTE);
    harness.workspace.watch(['tok-2', 'key'], 's-1', harness.now + 5 * MINUTE);
    harness.now += 2 * MINUTE;
    await harness.ring();
    await harness.workspace.revoke('key', null, OLGA);
    expect(harness.revoked).toEqual(['key at s-1']);
  });

  it('is forgotten when the credential has expired by itself', async () => {
    const harness = new WorkspaceHarness();
    harness.workspace.watch(['tok'], 's-1', harness.now + MINUTE);
    harness.unreachable.add('s-1');
    await harness.workspace.revoke('tok', harness.now + MINUTE, OLGA);
    await harness.workspace.revoke('forever', null, OLGA);
    expect(harness.workspace.policy().revoked).toEqual(['forever', 'tok']);
    harness.now += MINUTE;
    expect(harness.workspace.policy().revoked).toEqual(['forever']);
    await harness.ring();
    expect(harness.armedAt).toBe(null);
    expect(harness.workspace.watch(['tok'], 's-1', null)).toBe(false);
    expect(harness.workspace.watch(['forever'], 's-1', null)).toBe(true);
  });

  it('said twice, the later expiry counts', async () => {
    const harness = new WorkspaceHarness();
    await harness.workspace.revoke('tok', null, OLGA);
    await harness.workspace.revoke('tok', harness.now + MINUTE, OLGA);
    harness.now += 2 * MINUTE;
    expect(harness.workspace.policy().revoked).toEqual(['tok']);
  });
});
