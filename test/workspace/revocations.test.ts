/**
 * A bug here would look like this: a key is revoked, the page says so, and a socket that was open
 * before goes on hearing everything.
 */
import { describe, expect, it } from 'vitest';
import { MINUTE, OLGA, World } from './workspace-harness.ts';

describe('[AUTH-7] revoking', () => {
  it('is told to every session where the credential may have a socket, and to no other', async () => {
    const world = new World();
    expect(world.workspace.watch(['tok', 'key'], 's-1', null)).toBe(false);
    expect(world.workspace.watch(['key'], 's-2', null)).toBe(false);
    expect(world.workspace.watch(['other'], 's-3', null)).toBe(false);
    await world.workspace.revoke('key', null, OLGA);
    expect(world.revoked).toEqual(['key at s-1', 'key at s-2']);
    await world.pass(MINUTE);
    expect(world.revoked).toHaveLength(2);
    expect(world.armedAt).toBe(null);
  });

  it('reaches ten thousand sessions', async () => {
    const world = new World();
    for (let n = 0; n < 10_000; n += 1) world.workspace.watch(['key'], `s-${n}`, null);
    await world.workspace.revoke('key', null, OLGA);
    expect(new Set(world.revoked).size).toBe(10_000);
  });

  it('is tried again every ten seconds until the session was told, also after sleep', async () => {
    const world = new World();
    world.workspace.watch(['key'], 's-1', null);
    world.workspace.watch(['key'], 's-2', null);
    world.unreachable.add('s-1');
    await world.workspace.revoke('key', null, OLGA);
    expect(world.revoked).toEqual(['key at s-2']);
    expect(world.armedAt).toBe(world.now + 10_000);
    await world.pass(30_000);
    world.wake();
    await world.pass(30_000);
    expect(world.warned.length).toBeGreaterThan(3);
    world.unreachable.clear();
    await world.pass(10_000);
    expect(world.revoked).toEqual(['key at s-2', 'key at s-1']);
    expect(world.armedAt).toBe(null);
  });

  it('is told after a crash between the write and the call', () => {
    const world = new World();
    world.workspace.watch(['key'], 's-1', null);
    void world.workspace.revoke('key', null, OLGA);
    expect(world.armedAt).toBe(world.now + 10_000);
    world.armedAt = null;
    world.store.write(() =>
      world.store.revocations.addWatcher({ credential: 'key', sessionId: 's-1' }, null),
    );
    world.wake();
    expect(world.armedAt).toBe(world.now + 1);
  });

  it('refuses a socket that attaches in the same moment', async () => {
    const world = new World();
    await world.workspace.revoke('key', null, OLGA);
    world.changes = 0;
    expect(world.workspace.watch(['tok', 'key'], 's-1', null)).toBe(true);
    expect(world.changes).toBe(0);
  });

  it('a watcher that is known costs no row', () => {
    const world = new World();
    world.workspace.watch(['tok', 'key'], 's-1', world.now + MINUTE);
    world.changes = 0;
    world.workspace.watch(['tok', 'key'], 's-1', world.now + MINUTE);
    world.workspace.watch(['tok', 'key'], 's-1', world.now);
    expect(world.changes).toBe(0);
  });

  it('a key is watched as long as the longest of the tokens made from it', async () => {
    const world = new World();
    world.workspace.watch(['tok-1', 'key'], 's-1', world.now + MINUTE);
    world.workspace.watch(['tok-2', 'key'], 's-1', world.now + 5 * MINUTE);
    world.now += 2 * MINUTE;
    await world.ring();
    await world.workspace.revoke('key', null, OLGA);
    expect(world.revoked).toEqual(['key at s-1']);
  });

  it('is forgotten when the credential has expired by itself', async () => {
    const world = new World();
    world.workspace.watch(['tok'], 's-1', world.now + MINUTE);
    world.unreachable.add('s-1');
    await world.workspace.revoke('tok', world.now + MINUTE, OLGA);
    await world.workspace.revoke('forever', null, OLGA);
    expect(world.workspace.policy().revoked).toEqual(['forever', 'tok']);
    world.now += MINUTE;
    expect(world.workspace.policy().revoked).toEqual(['forever']);
    await world.ring();
    expect(world.armedAt).toBe(null);
    expect(world.workspace.watch(['tok'], 's-1', null)).toBe(false);
    expect(world.workspace.watch(['forever'], 's-1', null)).toBe(true);
  });

  it('said twice, the later expiry counts', async () => {
    const world = new World();
    await world.workspace.revoke('tok', null, OLGA);
    await world.workspace.revoke('tok', world.now + MINUTE, OLGA);
    world.now += 2 * MINUTE;
    expect(world.workspace.policy().revoked).toEqual(['tok']);
  });
});
