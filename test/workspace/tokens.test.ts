/**
 * The recorded tokens of a workspace.
 *
 * A bug here looks like a leaked token that stands in no list, so that no administrator can revoke it; or
 * like a list that keeps growing with expired tokens.
 */
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/protocol/limits.ts';
import { ListedAuditEntry, TokenView } from '../../src/protocol/schema/workspace.ts';
import type { NewToken } from '../../src/workspace/store.ts';
import { MINUTE, OLGA, valueOf, WorkspaceHarness } from './workspace-harness.ts';

const HOUR = 60 * MINUTE;
const CI = { subject: 'ci-bot', via: 'api', credential: 'key_ci', key: 'key_ci' } as const;

function token(harness: WorkspaceHarness, id: string, more: Partial<NewToken> = {}): NewToken {
  const chain = [id, 'key_ci'];
  const expiresAt = harness.now + HOUR;
  const shown = { id, subject: 'mia', session: null, scopes: ['read', 'answer'] as const };
  return { ...shown, scopes: [...shown.scopes], maker: 'key_ci', chain, expiresAt, ...more };
}

function record(harness: WorkspaceHarness, id: string, more: Partial<NewToken> = {}): void {
  expect(harness.workspace.credentials.recordToken(token(harness, id, more), CI, false)).toEqual({
    ok: true,
  });
}

function idsOf(harness: WorkspaceHarness): string[] {
  return valueOf(harness.workspace.credentials.tokens({})).tokens.map(({ id }) => id);
}

describe('[AUTH-5] tokens', () => {
  it('are listed with maker, subject, scopes and expiry', () => {
    const harness = new WorkspaceHarness();
    record(harness, 'tok_1', { session: 's-1' });
    const { tokens } = valueOf(harness.workspace.credentials.tokens({}));
    expect(tokens).toEqual([
      {
        id: 'tok_1',
        subject: 'mia',
        scopes: ['read', 'answer'],
        session: 's-1',
        createdAt: harness.now,
        createdBy: { subject: 'ci-bot', credential: 'key_ci', key: 'key_ci' },
        expiresAt: harness.now + HOUR,
        revokedAt: null,
      },
    ]);
    expect(TokenView.safeParse(tokens[0]).success).toBe(true);
  });

  it('are in the audit list when they are minted and when they are revoked', async () => {
    const harness = new WorkspaceHarness();
    record(harness, 'tok_1', { session: 's-1' });
    await harness.workspace.credentials.revoke('tok_1', null, OLGA);
    const { entries } = valueOf(harness.workspace.audit({}));
    const by = { credential: 'key_ci', key: 'key_ci' };
    expect(entries).toMatchObject([
      { what: 'token', token: 'tok_1', change: 'revoked', subject: 'olga' },
      { what: 'token', token: 'tok_1', change: 'created', subject: 'ci-bot', via: 'api', by },
    ]);
    expect(entries[1]).toMatchObject({
      named: 'mia',
      scopes: ['read', 'answer'],
      sessionId: 's-1',
    });
    for (const entry of entries) expect(ListedAuditEntry.safeParse(entry).success).toBe(true);
  });

  it('come newest first, in pages without a gap or a double', () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < 25; n += 1) record(harness, `tok_${String(n).padStart(2, '0')}`);
    const found: string[] = [];
    let before: string | undefined;
    do {
      const page = valueOf(harness.workspace.credentials.tokens({ limit: 7, before }));
      found.push(...page.tokens.map(({ id }) => id));
      before = page.next;
      // A token minted between the pages is newer than every token still to come.
      record(harness, `tok_9${found.length}`);
    } while (before !== undefined);
    expect(found).toEqual(
      Array.from({ length: 25 }, (_, n) => `tok_${String(24 - n).padStart(2, '0')}`),
    );
    expect(harness.workspace.credentials.tokens({ before: 'nonsense' })).toMatchObject({
      ok: false,
    });
  });

  it('show when they, or their parent credentials, were revoked', async () => {
    const harness = new WorkspaceHarness();
    record(harness, 'tok_1');
    record(harness, 'tok_2', { chain: ['tok_2', 'tok_1', 'key_ci'] });
    record(harness, 'tok_3', { chain: ['tok_3', 'key_other'] });
    harness.now += 1_000;
    await harness.workspace.credentials.revoke('tok_1', null, OLGA);
    expect(valueOf(harness.workspace.credentials.tokens({})).tokens).toMatchObject([
      { id: 'tok_3', revokedAt: null },
      { id: 'tok_2', revokedAt: harness.now },
      { id: 'tok_1', revokedAt: harness.now },
    ]);
  });

  it('are not recorded, and so not returned, with a revoked credential', async () => {
    const harness = new WorkspaceHarness();
    await harness.workspace.credentials.revoke('key_ci', null, OLGA);
    const refused = harness.workspace.credentials.recordToken(token(harness, 'tok_1'), CI, false);
    expect(refused).toMatchObject({ code: 'unauthenticated' });
    expect(idsOf(harness)).toEqual([]);
  });

  it('leave the list when they expire, and the storage in rounds, though nothing else happens', async () => {
    const harness = new WorkspaceHarness();
    for (let n = 0; n < 2_500; n += 1)
      record(harness, `tok_${n}`, { expiresAt: harness.now + 1_000 });
    record(harness, 'tok_later');
    const rows = () => harness.database.all('SELECT id FROM token').length;
    expect(rows()).toBe(2_501);
    harness.wake();
    await harness.pass(1_000);
    expect([idsOf(harness), rows()]).toEqual([['tok_later'], 1_501]);
    await harness.pass(MINUTE);
    expect(rows()).toBe(1);
    const rings = harness.armed.length;
    await harness.pass(3 * HOUR);
    expect(rows()).toBe(0);
    expect(harness.armed.length - rings).toBeLessThan(4);
    expect(harness.armedAt).toBe(null);
  });

  it('that expire one after another wake the workspace at most once an hour', async () => {
    const harness = new WorkspaceHarness();
    for (let n = 1; n <= 100; n += 1) {
      record(harness, `tok_${n}`, { expiresAt: harness.now + n * MINUTE });
    }
    let rings = 0;
    const ring = harness.ring.bind(harness);
    harness.ring = () => {
      rings += 1;
      return ring();
    };
    await harness.pass(4 * HOUR);
    expect(rings).toBeLessThanOrEqual(4);
    expect(harness.database.all('SELECT id FROM token')).toEqual([]);
  });

  it('[LIM-2] descend from a limited number of credentials, with any minter', () => {
    const harness = new WorkspaceHarness();
    const chain = (length: number) => Array.from({ length }, (_, at) => `tok_above${at}`);
    const ask = (id: string, above: number, isAdmin: boolean) =>
      harness.workspace.credentials.recordToken(
        token(harness, id, { chain: [id, ...chain(above)] }),
        CI,
        isAdmin,
      );
    expect(ask('tok_a', LIMITS.tokenLine, false)).toEqual({ ok: true });
    for (const isAdmin of [false, true]) {
      expect(ask('tok_b', LIMITS.tokenLine + 1, isAdmin)).toMatchObject({
        code: 'limit_reached',
        details: { limit: 'tokenLine', max: LIMITS.tokenLine },
      });
    }
  });

  it('[LIM-2] are limited for each maker, until some expire; administrators are not', () => {
    const harness = new WorkspaceHarness();
    harness.store.write(() => {
      for (let n = 0; n < LIMITS.tokens; n += 1) {
        const row = { id: `tok_${n}`, maker: 'key_ci', expiresAt: harness.now + HOUR };
        harness.store.tokens.add({ ...row, chain: [row.id], entry: '{}' });
      }
    });
    const ask = (id: string, isAdmin: boolean, maker = 'key_ci') =>
      harness.workspace.credentials.recordToken(token(harness, id, { maker }), CI, isAdmin);
    expect(ask('tok_x', false)).toMatchObject({
      code: 'limit_reached',
      details: { limit: 'tokens', max: LIMITS.tokens },
    });
    expect(ask('tok_x', false, 'key_other')).toEqual({ ok: true });
    expect(ask('tok_y', true)).toEqual({ ok: true });
    harness.now += 2 * HOUR;
    expect(ask('tok_z', false)).toEqual({ ok: true });
  });

  it('[AUTH-7] drop a revocation when the revoked token would have expired', async () => {
    const harness = new WorkspaceHarness();
    record(harness, 'tok_1');
    await harness.workspace.credentials.revoke('tok_1', harness.now + 365 * 24 * HOUR, OLGA);
    expect(harness.workspace.policy().revoked).toEqual(['tok_1']);
    await harness.pass(2 * HOUR);
    expect(harness.workspace.policy().revoked).toEqual([]);
  });

  it('of another version are shown with their readable fields', () => {
    const harness = new WorkspaceHarness();
    record(harness, 'tok_1');
    harness.database.run('UPDATE token SET entry = ?', '{"subject":"mia","scopes":["read","fly"]}');
    expect(valueOf(harness.workspace.credentials.tokens({})).tokens).toMatchObject([
      { id: 'tok_1', subject: 'mia', scopes: ['read'], session: null, revokedAt: null },
    ]);
    harness.database.run('UPDATE token SET entry = ?', 'broken');
    expect(idsOf(harness)).toEqual(['tok_1']);
  });
});
