/**
 * The directory of people by itself. A bug here looks like a person who left and is still in, a workspace that nobody can
 * administer, or a role that somebody keeps in a token.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import type { Role } from '../../src/protocol/schema/person.ts';
import { MINUTE, OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const HERE = { browser: 'Firefox on Linux', place: null };
const NOBODY = { unknown: null, atLeast: null };
const verified = (email: string, more: object = {}) => ({
  subject: email,
  email,
  name: null,
  ...more,
});

function open() {
  const harness = new WorkspaceHarness();
  const { directory, credentials } = harness.workspace;
  const invite = (email: string, role: Role, more: object = {}) =>
    valueOf(directory.invite({ email, role, ...more }, OLGA));
  const signIn = async (email: string, more: object = {}) =>
    valueOf(await directory.signIns.begin(verified(email, more), NOBODY, HERE));
  const join = async (email: string, role: Role) => {
    invite(email, role);
    return signIn(email);
  };
  const memberOf = (email: string) => directory.members().find(({ subject }) => subject === email);
  const audited = () =>
    valueOf(harness.workspace.audit({})).entries.flatMap((entry) =>
      'change' in entry && entry.what === 'person' ? [`${entry.named} ${entry.change}`] : [],
    );
  return { harness, directory, credentials, invite, signIn, join, memberOf, audited };
}

describe('[TEAM-1] the directory', () => {
  it('makes an invited person active with the first sign-in, and no other person', async () => {
    const { directory, invite, signIn, memberOf } = open();
    invite('ann@example.com', 'answerer', { name: 'Ann Lee' });
    expect(directory.members()).toEqual([]);
    expect(await directory.signIns.begin(verified('eve@example.com'), NOBODY, HERE)).toMatchObject({
      ok: false,
      code: 'forbidden',
    });
    await signIn('ann@example.com', { name: 'Something else' });
    expect(memberOf('ann@example.com')).toMatchObject({ role: 'answerer', name: 'Ann Lee' });
    expect(directory.names()).toEqual({ 'ann@example.com': 'Ann Lee' });
    expect(directory.invite({ email: 'ann@example.com', role: 'admin' }, OLGA)).toMatchObject({
      code: 'person_exists',
    });
  });

  it('takes the return of a login once', async () => {
    const { directory, invite } = open();
    invite('ann@example.com', 'answerer');
    const finish = (login: string) =>
      directory.signIns.begin(verified('ann@example.com'), { ...NOBODY, login }, HERE);
    valueOf(await finish('login one'));
    expect(await finish('login one')).toMatchObject({ ok: false, code: 'unauthenticated' });
    valueOf(await finish('login two'));
    expect(directory.signIns.list('ann@example.com')).toHaveLength(2);
  });

  it('lets in whom the settings let in, with the higher of two roles', async () => {
    const { directory, invite } = open();
    const begin = (email: string, granted: object) =>
      directory.signIns.begin(verified(email), { ...NOBODY, ...granted }, HERE);
    valueOf(await begin('one@example.com', { unknown: 'viewer' }));
    invite('two@example.com', 'viewer');
    valueOf(await begin('two@example.com', { atLeast: 'admin' }));
    invite('three@example.com', 'admin');
    valueOf(await begin('three@example.com', { atLeast: 'viewer' }));
    const roles = directory.members().map(({ subject, role }) => `${subject} ${role}`);
    expect(roles.toSorted()).toEqual([
      'one@example.com viewer',
      'three@example.com admin',
      'two@example.com admin',
    ]);
  });

  it('ends everything of a person who is removed, and lets only an invitation bring them back', async () => {
    const { harness, directory, credentials, join, signIn, memberOf } = open();
    await join('root@example.com', 'admin');
    const first = await join('ann@example.com', 'answerer');
    const second = await signIn('ann@example.com');
    const { credential = '' } = memberOf('ann@example.com') ?? {};
    for (const id of [first.id, second.id, credential]) credentials.watch([id], `s-${id}`, null);
    expect(directory.signIns.checkMember('ann@example.com', second.id, null)).not.toBeNull();

    expect(valueOf(await directory.remove('ann@example.com', OLGA))).toMatchObject({ signIns: 2 });
    expect(memberOf('ann@example.com')).toBeUndefined();
    expect(directory.signIns.list('ann@example.com')).toEqual([]);
    expect(harness.revoked.toSorted()).toEqual(
      [first.id, second.id, credential].map((id) => `${id} at s-${id}`).toSorted(),
    );
    for (const id of [first.id, second.id, null]) {
      expect(directory.signIns.checkMember('ann@example.com', id, null)).toBeNull();
    }
    expect(
      await directory.signIns.begin(
        verified('ann@example.com'),
        { unknown: 'admin', atLeast: 'admin' },
        HERE,
      ),
    ).toMatchObject({ ok: false, message: expect.stringContaining('removed') });
    await join('ann@example.com', 'viewer');
    const again = memberOf('ann@example.com');
    expect(again?.role).toBe('viewer');
    expect(harness.workspace.policy().revoked).toContain(credential);
    expect(harness.workspace.policy().revoked).not.toContain(again?.credential);
  });

  it('ends a role with its credential, and keeps the person one party', async () => {
    const { harness, directory, join, memberOf } = open();
    await join('root@example.com', 'admin');
    await join('ann@example.com', 'admin');
    const before = memberOf('ann@example.com');
    valueOf(await directory.update('ann@example.com', { role: 'viewer' }, OLGA));
    const after = memberOf('ann@example.com');
    expect(after).toMatchObject({ role: 'viewer', root: before?.root });
    expect(after?.credential).not.toBe(before?.credential);
    expect(harness.workspace.policy().revoked).toContain(before?.credential);
    valueOf(await directory.update('ann@example.com', { role: 'viewer', name: 'Ann' }, OLGA));
    expect(memberOf('ann@example.com')?.credential).toBe(after?.credential);
  });

  it('keeps the last administrator, and says nothing of that for others', async () => {
    const { directory, join, invite } = open();
    await join('root@example.com', 'admin');
    await join('ann@example.com', 'answerer');
    invite('later@example.com', 'admin');
    for (const refused of [
      await directory.update('root@example.com', { role: 'answerer' }, OLGA),
      await directory.remove('root@example.com', OLGA),
    ]) {
      expect(refused).toMatchObject({ ok: false, code: 'last_admin' });
    }
    expect(directory.hasAdmin()).toBe(true);
    valueOf(await directory.remove('ann@example.com', OLGA));
    valueOf(await directory.update('root@example.com', { name: 'Root' }, OLGA));
  });

  it('drops the oldest sign-in of a person with too many, and ends one or all others', async () => {
    const { harness, directory, join, signIn } = open();
    const oldest = await join('ann@example.com', 'admin');
    let last = oldest;
    for (let count = 1; count <= LIMITS.signIns; count += 1) {
      harness.now += MINUTE;
      last = await signIn('ann@example.com');
    }
    const listed = directory.signIns.list('ann@example.com').map(({ id }) => id);
    expect(listed).toHaveLength(LIMITS.signIns);
    expect(listed).not.toContain(oldest.id);
    expect(directory.signIns.checkMember('ann@example.com', oldest.id, null)).toBeNull();
    expect(await directory.signIns.end(last.id, 'eve@example.com', OLGA)).toMatchObject({
      code: 'not_found',
    });
    expect(await directory.signIns.endOthers('ann@example.com', last.id, OLGA)).toBe(
      LIMITS.signIns - 1,
    );
    expect(directory.signIns.list(null).map(({ id }) => id)).toEqual([last.id]);
  });

  it('ends a sign-in after its time, and takes an invitation once', async () => {
    const { harness, directory, join, invite } = open();
    const { id } = await join('ann@example.com', 'admin');
    harness.now += LIMITS.signInMs;
    expect(directory.signIns.checkMember('ann@example.com', id, null)).toBeNull();
    expect(directory.signIns.list(null)).toEqual([]);
    invite('bob@example.com', 'viewer');
    valueOf(directory.signIns.acceptInvitation('inv_1', 'bob@example.com'));
    for (const invitation of ['inv_1', 'inv_2']) {
      expect(directory.signIns.acceptInvitation(invitation, 'bob@example.com')).toMatchObject({
        code: 'link_expired',
      });
    }
  });

  it('follows the groups of the provider, and leaves those of administrators', async () => {
    const { harness, directory, invite, signIn } = open();
    for (const name of ['ops', 'dev', 'own']) valueOf(harness.workspace.putGroup(name, [], OLGA));
    invite('ann@example.com', 'admin', { groups: ['own'] });
    const groups = () => valueOf(directory.person('ann@example.com')).person.groups.toSorted();
    await signIn('ann@example.com', { groups: ['ops', 'dev', 'unknown'] });
    expect(groups()).toEqual(['dev', 'ops', 'own']);
    await signIn('ann@example.com', { groups: ['dev'] });
    expect(groups()).toEqual(['dev', 'own']);
    expect(await directory.update('ann@example.com', { groups: ['none'] }, OLGA)).toMatchObject({
      code: 'invalid_request',
    });
    expect(groups()).toEqual(['dev', 'own']);
  });

  it('is the same after the object wakes, and in the audit list with who changed it', async () => {
    const { harness, join, audited } = open();
    await join('root@example.com', 'admin');
    harness.now += MINUTE;
    await join('ann@example.com', 'answerer');
    const before = harness.workspace.directory.list();
    harness.wake();
    expect(harness.workspace.directory.list()).toEqual(before);
    expect(audited().toReversed()).toEqual([
      'root@example.com invited as admin',
      'root@example.com joined as admin',
      'root@example.com signed in',
      'ann@example.com invited as answerer',
      'ann@example.com joined as answerer',
      'ann@example.com signed in',
    ]);
  });

  it('stays as it was when a change cannot be written', async () => {
    const { harness, directory, join, memberOf } = open();
    await join('root@example.com', 'admin');
    await join('ann@example.com', 'answerer');
    const before = memberOf('ann@example.com');
    const write = harness.store.write.bind(harness.store);
    harness.store.write = () => {
      throw new Error('The disk is full');
    };
    await expect(directory.update('ann@example.com', { role: 'admin' }, OLGA)).rejects.toThrow();
    await expect(directory.remove('ann@example.com', OLGA)).rejects.toThrow();
    harness.store.write = write;
    expect(memberOf('ann@example.com')).toEqual(before);
    expect(harness.workspace.policy().revoked).toEqual([]);
  });
});
