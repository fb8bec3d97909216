/**
 * A bug here looks like a revoked key whose open socket goes on receiving events.
 */
import { describe, expect, it } from 'vitest';
import { MINUTE, OLGA, WorkspaceHarness } from './workspace-harness.ts';

describe('[AUTH-7] a revocation', () => {
  it('reaches every session where the credential may have a socket, and no other', async () => {
    const harness = new WorkspaceHarness();
    expect(harness.workspace.credentials.watch(['tok', 'key'], 's-1', null)).toBe(false);
    expect(harness.workspace.credentials.watch(['key'], 's-2', null)).toBe(false);
    expect(harness.workspace.credentials.watch(['other'], 's-3', null)).toBe(false);
    await harness.workspace.credentials.revoke('key', null, OLGA);
    expect(harness.revoked).toEqual(['key at s-1', 'key at s-2']);
    await harness.pass(MINUTE);
    expect(harness.revoked).toHaveLength(2);
    expect(harness.armedAt).toBe(null);
  });

  it('reaches ten thousand sessions', async () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < 10_000; n += 1)
      harness.workspace.credentials.watch(['key'], `s-${n}`, null);
    await harness.workspace.credentials.revoke('key', null, OLGA);
    expect(new Set(harness.revoked).size).toBe(10_000);
  });

  it('is pushed again every ten seconds until the session confirms, also after hibernation', async () => {
    const harness = new WorkspaceHarness();
    harness.workspace.credentials.watch(['key'], 's-1', null);
    harness.workspace.credentials.watch(['key'], 's-2', null);
    harness.unreachable.add('s-1');
    await harness.workspace.credentials.revoke('key', null, OLGA);
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

  it('is pushed after a crash between the write and the call', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.credentials.watch(['key'], 's-1', null);
    void harness.workspace.credentials.revoke('key', null, OLGA);
    expect(harness.armedAt).toBe(harness.now + 10_000);
    harness.armedAt = null;
    harness.store.write(() =>
      harness.store.revocations.addWatcher({ credential: 'key', sessionId: 's-1' }, null),
    );
    harness.wake();
    expect(harness.armedAt).toBe(harness.now + 1);
  });

  it('refuses a socket that attaches at the same time', async () => {
    const harness = new WorkspaceHarness();
    await harness.workspace.credentials.revoke('key', null, OLGA);
    harness.changes = 0;
    expect(harness.workspace.credentials.watch(['tok', 'key'], 's-1', null)).toBe(true);
    expect(harness.changes).toBe(0);
  });

  it('costs no row for a known watcher', () => {
    const harness = new WorkspaceHarness();
    harness.workspace.credentials.watch(['tok', 'key'], 's-1', harness.now + MINUTE);
    harness.changes = 0;
    harness.workspace.credentials.watch(['tok', 'key'], 's-1', harness.now + MINUTE);
    harness.workspace.credentials.watch(['tok', 'key'], 's-1', harness.now);
    expect(harness.changes).toBe(0);
  });

  it('watches a key as long as the longest-lived of its tokens', async () => {
    const harness = new WorkspaceHarness();
    harness.workspace.credentials.watch(['tok-1', 'key'], 's-1', harness.now + MINUTE);
    harness.workspace.credentials.watch(['tok-2', 'key'], 's-1', harness.now + 5 * MINUTE);
    harness.now += 2 * MINUTE;
    await harness.ring();
    await harness.workspace.credentials.revoke('key', null, OLGA);
    expect(harness.revoked).toEqual(['key at s-1']);
  });

  it('is removed when the credential has expired', async () => {
    const harness = new WorkspaceHarness();
    harness.workspace.credentials.watch(['tok'], 's-1', harness.now + MINUTE);
    harness.unreachable.add('s-1');
    await harness.workspace.credentials.revoke('tok', harness.now + MINUTE, OLGA);
    await harness.workspace.credentials.revoke('forever', null, OLGA);
    expect(harness.workspace.policy().revoked).toEqual(['forever', 'tok']);
    harness.now += MINUTE;
    expect(harness.workspace.policy().revoked).toEqual(['forever']);
    await harness.ring();
    expect(harness.armedAt).toBe(null);
    expect(harness.workspace.credentials.watch(['tok'], 's-1', null)).toBe(false);
    expect(harness.workspace.credentials.watch(['forever'], 's-1', null)).toBe(true);
  });

  it('twice, keeps the later expiry', async () => {
    const harness = new WorkspaceHarness();
    await harness.workspace.credentials.revoke('tok', null, OLGA);
    await harness.workspace.credentials.revoke('tok', harness.now + MINUTE, OLGA);
    harness.now += 2 * MINUTE;
    expect(harness.workspace.policy().revoked).toEqual(['tok']);
  });
});
