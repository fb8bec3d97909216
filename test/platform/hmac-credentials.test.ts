/**
 * Tokens as signed claims.
 *
 * A bug here looks like a forged token that works, or an expired token that the cache still accepts.
 */
import { expect, it } from 'vitest';
import { authenticate } from '../../src/http/authenticate.ts';
import type { Grant, HttpPorts } from '../../src/http/ports.ts';
import { HmacCredentials } from '../../src/platform/hmac-credentials.ts';
import { Scope } from '../../src/protocol/schema/actor.ts';
import { LIMITS } from '../../src/protocol/limits.ts';

const START = 1_800_000_000_000;
const SECRETS = { signing: 'signing-secret-of-a-test', admin: 'admin-key-of-a-test-0000' };
const GRANT: Grant = {
  kind: 'session',
  id: 'tok_1',
  workspace: 'main',
  session: 'session-1',
  scopes: ['read', 'answer'],
  subject: 'Ada Ünïcode 👩‍💻',
  expiresAt: START + 60_000,
  mintedBy: ['key_1', 'tok_0'],
};

function world(secrets = SECRETS) {
  let now = START;
  return {
    credentials: new HmacCredentials(secrets, () => now),
    advance: (ms: number) => (now += ms),
  };
}

it('[AUTH-1] reads back its own grants', async () => {
  const { credentials } = world();
  expect(await credentials.verify(await credentials.sign(GRANT))).toEqual({
    caller: {
      credential: 'tok_1',
      subject: GRANT.subject,
      via: 'web',
      scopes: ['read', 'answer'],
      key: 'tok_0',
      root: 'tok_0',
    },
    workspace: 'main',
    session: 'session-1',
    expiresAt: GRANT.expiresAt,
    chain: ['tok_1', 'key_1', 'tok_0'],
  });
});

it('[AUTH-1] reads a key without a session and without an end', async () => {
  const { credentials } = world();
  const { session: _session, ...rest } = GRANT;
  const token = await credentials.sign({ ...rest, kind: 'key', expiresAt: null, mintedBy: [] });
  expect(await credentials.verify(token)).toMatchObject({
    caller: { via: 'api' },
    session: null,
    expiresAt: null,
    chain: ['tok_1'],
  });
});

it.each<[string, Partial<Grant>, { key: string; root: string }]>([
  ['a key', { kind: 'key', id: 'key_1', mintedBy: [] }, { key: 'key_1', root: 'key_1' }],
  [
    'a token of the administrator’s key',
    { mintedBy: [], root: 'tok_1' },
    { key: 'admin', root: 'tok_1' },
  ],
  [
    'a token of a key with admin',
    { mintedBy: ['key_1'], root: 'tok_1' },
    { key: 'key_1', root: 'tok_1' },
  ],
  [
    'a token of such a token',
    { id: 'tok_2', mintedBy: ['tok_1', 'key_1'], root: 'tok_1' },
    { key: 'key_1', root: 'tok_1' },
  ],
  [
    'a token from before roots were signed',
    { mintedBy: ['tok_0', 'key_1'] },
    { key: 'key_1', root: 'key_1' },
  ],
  ['such a token of the administrator’s key', { mintedBy: [] }, { key: 'admin', root: 'tok_1' }],
])('[AUTH-5] holds the key and root of its line: %s', async (_sort, grant, line) => {
  const { credentials } = world();
  const identity = await credentials.verify(await credentials.sign({ ...GRANT, ...grant }));
  expect(identity?.caller).toMatchObject(line);
});

it('[AUTH-1] refuses a token with any one character changed, added or taken away', async () => {
  const { credentials } = world();
  const token = await credentials.sign(GRANT);
  expect(await credentials.verify(token)).toBeDefined();
  const altered = new Set<string>();
  for (let index = 0; index < token.length; index += 1) {
    const [before, after] = [token.slice(0, index), token.slice(index + 1)];
    for (const letter of ['A', 'b', '-', '_', '9', '.', '=', ' ', '+', '/', 'é']) {
      altered.add(before + letter + after);
      altered.add(before + letter + token.slice(index));
    }
    altered.add(before + after);
    altered.add(before);
  }
  altered.add(`${token}=`);
  altered.add(`${token}.`);
  altered.add(`${token}.x`);
  altered.delete(token);
  expect(altered.size).toBeGreaterThan(5_000);
  for (const one of altered) expect(await credentials.verify(one), one).toBeUndefined();
});

it('[AUTH-1] refuses every single bit changed in claims and signature', async () => {
  const { credentials } = world();
  const token = await credentials.sign(GRANT);
  const parts = token.slice('hp_'.length).split('.');
  for (const part of [0, 1]) {
    const bytes = Buffer.from(parts[part] ?? '', 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const text = parts.with(part, changed.toString('base64url')).join('.');
      expect(await credentials.verify(`hp_${text}`)).toBeUndefined();
    }
  }
});

it('[AUTH-1] refuses a token of another deployment', async () => {
  const other = world({ ...SECRETS, signing: 'another-signing-secret' });
  const token = await other.credentials.sign(GRANT);
  expect(await world().credentials.verify(token)).toBeUndefined();
});

it('[AUTH-1] refuses the claims of one token under the signature of another', async () => {
  const { credentials } = world();
  const [mine, theirs] = await Promise.all([
    credentials.sign(GRANT),
    credentials.sign({ ...GRANT, scopes: ['admin'] }),
  ]);
  const mixed = `${theirs.split('.')[0]}.${mine.split('.')[1]}`;
  expect(await credentials.verify(mixed)).toBeUndefined();
});

it.each([
  ['no JSON', 'nothing'],
  ['other claims', '{"k":"key"}'],
  ['more claims', JSON.stringify({ k: 'key', i: '', w: '', c: [], u: '', x: null, m: [], z: 1 })],
  ['unknown scopes', JSON.stringify({ k: 'key', i: '', w: '', c: ['x'], u: '', x: null, m: [] })],
])('[AUTH-1] refuses %s even under a signature of its own', async (_name, claims) => {
  const { credentials } = world();
  const payload = Buffer.from(claims).toString('base64url');
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(SECRETS.signing),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const bytes = new TextEncoder().encode(payload);
  const signature = Buffer.from(await crypto.subtle.sign('HMAC', key, bytes)).toString('base64url');
  expect(await credentials.verify(`hp_${payload}.${signature}`)).toBeUndefined();
});

it('[AUTH-1] is valid until its last millisecond, also from the cache', async () => {
  for (const isRemembered of [true, false]) {
    const { credentials, advance } = world();
    const token = await credentials.sign(GRANT);
    if (isRemembered) expect(await credentials.verify(token)).toBeDefined();
    advance(59_999);
    expect(await credentials.verify(token)).toBeDefined();
    advance(1);
    expect(await credentials.verify(token)).toBeUndefined();
    expect(await credentials.verify(token)).toBeUndefined();
  }
});

it('[AUTH-1] caches checked credentials, and evicts before the cache grows too large', async () => {
  const { credentials } = world();
  const tokens = await Promise.all(
    Array.from({ length: 1_200 }, (_, index) => credentials.sign({ ...GRANT, id: `tok_${index}` })),
  );
  for (const token of tokens) await credentials.verify(token);
  const last = tokens.at(-1) ?? '';
  // The very same value: it was not made again.
  expect(await credentials.verify(last)).toBe(await credentials.verify(last));
  expect(await credentials.verify(tokens[0] ?? '')).toMatchObject({ workspace: 'main' });
});

it('[AUTH-1] recognizes the administrator by the whole key alone', async () => {
  const { credentials } = world();
  expect(await credentials.verify(SECRETS.admin)).toMatchObject({
    caller: { credential: 'admin', scopes: ['admin'] },
    workspace: 'main',
    session: null,
  });
  const { admin } = SECRETS;
  for (const near of [
    '',
    admin.slice(0, -1),
    admin.slice(1),
    `${admin}0`,
    ` ${admin}`,
    admin.toUpperCase(),
    `${admin}\0`,
    SECRETS.signing,
    'hp_',
    'hp_.',
    'hp_..',
    `hp_${admin}`,
  ]) {
    expect(await credentials.verify(near), near).toBeUndefined();
  }
});

it('[LIM-2] the longest minted token is accepted', async () => {
  const id = `tok_${'0'.repeat(26)}`;
  const credentials = new HmacCredentials(SECRETS, () => START);
  const token = await credentials.sign({
    kind: 'session',
    id,
    workspace: 'main',
    session: 's'.repeat(128),
    scopes: Scope.options,
    subject: '名'.repeat(LIMITS.nameChars),
    expiresAt: START + 1,
    mintedBy: Array.from({ length: LIMITS.tokenLine }, () => id),
    root: id,
  });
  const request = new Request('http://x/', { headers: { Authorization: `Bearer ${token}` } });
  const policy = { get: async () => ({ revoked: [], settings: {} }) };
  const ports = { credentials, policy } as unknown as HttpPorts;
  expect(await authenticate(request, ports)).toMatchObject({
    chain: { length: LIMITS.tokenLine + 1 },
  });
});
