/**
 * Assertions of Cloudflare Access, good and bad.
 *
 * A bug here looks like a stranger who writes a header and is an administrator, or one who makes this service fetch keys in a
 * loop.
 */
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { expect, it } from 'vitest';
import { accessCheck } from '../../src/platform/login/access-check.ts';

const ISSUER = 'https://acme.cloudflareaccess.com';
const AUDIENCE = 'a'.repeat(64);
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const other = await generateKeyPair('RS256');
const ellipse = await generateKeyPair('ES256');
const keys = {
  keys: [
    { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' },
    { ...(await exportJWK(ellipse.publicKey)), kid: 'curve', alg: 'ES256', use: 'sig' },
  ],
};
const NOW = 1_800_000_000_000;

const CLAIMS: JWTPayload = {
  iss: ISSUER,
  aud: [AUDIENCE],
  email: 'Ana@example.com',
  sub: 'ana-1',
  iat: NOW / 1_000 - 10,
  exp: NOW / 1_000 + 600,
};

function newCheck() {
  const state = { now: NOW, fetched: [] as string[], isDown: false };
  const check = accessCheck({
    settings: { issuer: ISSUER, audience: AUDIENCE },
    now: () => state.now,
    warn: () => undefined,
    async fetch(input) {
      state.fetched.push(input instanceof Request ? input.url : input.toString());
      if (state.isDown) throw new TypeError('No route');
      return Response.json(keys);
    },
  });
  return { check, state };
}

const sign = (
  claims: JWTPayload = CLAIMS,
  key = privateKey,
  header = { alg: 'RS256', kid: 'one' },
) => new SignJWT(claims).setProtectedHeader(header).sign(key);

it('[TEAM-1] takes an assertion of the team for this application, and fetches the keys once', async () => {
  const { check, state } = newCheck();
  const person = { subject: 'ana@example.com', email: 'ana@example.com', name: null };
  const assertion = await sign();
  expect(await check.verify(assertion)).toMatchObject(person);
  expect(await check.verify(assertion)).toMatchObject(person);
  expect(await check.verify(await sign({ ...CLAIMS, jti: 'two' }))).toMatchObject(person);
  expect(state.fetched).toEqual([`${ISSUER}/cdn-cgi/access/certs`]);
  // A copy that is kept ends with the assertion.
  state.now += 601_000;
  expect(await check.verify(assertion)).toBeUndefined();
});

const { exp: _exp, ...withoutExpiry } = CLAIMS;
const publicText = new TextEncoder().encode(await exportSPKI(publicKey));

it.each<[string, () => string | Promise<string>]>([
  ['alg none', () => new UnsecuredJWT(CLAIMS).encode()],
  [
    'the public key as a shared secret',
    () => new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(publicText),
  ],
  [
    'an algorithm that Access does not use',
    () => sign(CLAIMS, ellipse.privateKey, { alg: 'ES256', kid: 'curve' }),
  ],
  ['another key under the same name', () => sign(CLAIMS, other.privateKey)],
  ['an unknown key', () => sign(CLAIMS, other.privateKey, { alg: 'RS256', kid: 'two' })],
  ['another application', () => sign({ ...CLAIMS, aud: ['b'.repeat(64)] })],
  ['another team', () => sign({ ...CLAIMS, iss: 'https://evil.cloudflareaccess.com' })],
  ['an expiry in the past', () => sign({ ...CLAIMS, exp: NOW / 1_000 - 1 })],
  ['no expiry', () => sign(withoutExpiry)],
  ['no person', () => sign({ ...CLAIMS, email: undefined, common_name: 'a service token' })],
  ['an empty address', () => sign({ ...CLAIMS, email: '' })],
  ['nothing', () => ''],
  ['much of nothing', () => 'x'.repeat(100_000)],
])('[TEAM-1] refuses an assertion with %s', async (_what, make) => {
  const { check } = newCheck();
  expect(await check.verify(await make())).toBeUndefined();
});

it('[TEAM-1] does not fetch keys in a loop, whatever strangers send', async () => {
  const { check, state } = newCheck();
  for (let count = 0; count < 20; count += 1) {
    await check.verify(await sign(CLAIMS, other.privateKey, { alg: 'RS256', kid: `kid-${count}` }));
  }
  expect(state.fetched).toHaveLength(1);
});

it('[TEAM-1] waits after keys that could not be fetched, and then recovers', async () => {
  const { check, state } = newCheck();
  state.isDown = true;
  for (let count = 0; count < 20; count += 1) await check.verify(await sign());
  expect(state.fetched).toHaveLength(1);
  state.isDown = false;
  state.now += 10_001;
  expect(await check.verify(await sign())).toMatchObject({ subject: 'ana@example.com' });
});
