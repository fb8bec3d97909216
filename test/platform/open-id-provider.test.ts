/**
 * What a provider, or somebody in its place, could send instead of a good id token.
 *
 * A bug here looks like a person who is signed in by a token that their provider never signed for this service.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { readLoginSettings } from '../../src/platform/login/login-settings.ts';
import { openIdProvider } from '../../src/platform/login/open-id-provider.ts';

const CALLBACK = 'https://holdpoint.example/auth/callback';
const { privateKey, publicKey } = await generateKeyPair('ES256');
const other = await generateKeyPair('ES256');
const own = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };

let idToken = '';
let metadata: object = {};
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', issuer);
  const bodies: Record<string, object> = {
    '/.well-known/openid-configuration': {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      ...metadata,
    },
    '/jwks': { keys: [own] },
    '/token': { access_token: 'a', token_type: 'bearer', expires_in: 60, id_token: idToken },
  };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(bodies[pathname] ?? {}));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => void server.close());

function newProvider(over: object = {}, now: () => number = Date.now) {
  const warnings: unknown[] = [];
  const settings = {
    issuer,
    clientId: 'holdpoint',
    clientSecret: 'secret',
    scopes: 'openid email',
    subjectClaim: 'email',
    groupsClaim: undefined,
    trustsEmail: false,
    ...over,
  };
  const ports = {
    settings,
    now,
    warn: (_: string, cause: unknown) => void warnings.push(cause),
  };
  return { provider: openIdProvider(ports), warnings };
}

/** One login that the provider answers with the token of these claims. */
async function login(sign: (nonce: string) => string | Promise<string>, over: object = {}) {
  const { provider } = newProvider(over);
  const begun = await provider.begin(CALLBACK);
  if (!begun.ok) throw new Error(begun.message);
  const { address, secrets } = begun.value;
  idToken = await sign(secrets.nonce);
  const callback = new URL(CALLBACK);
  callback.searchParams.set('code', 'a-code');
  callback.searchParams.set('state', secrets.state);
  return { address: new URL(address), result: await provider.finish(callback, secrets) };
}

const claimsFor = (nonce: string, over: JWTPayload = {}): JWTPayload => ({
  iss: issuer,
  aud: 'holdpoint',
  sub: 'ana',
  email: 'Ana@Example.com',
  email_verified: true,
  iat: Math.floor(Date.now() / 1_000),
  exp: Math.floor(Date.now() / 1_000) + 60,
  nonce,
  ...over,
});

const sign = (claims: JWTPayload, key = privateKey, kid = 'one') =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(key);

it('[TEAM-1] takes a good id token, and asks the provider with PKCE, state and nonce', async () => {
  const { address, result } = await login((nonce) => sign(claimsFor(nonce)));
  expect(result).toEqual({
    ok: true,
    value: { subject: 'ana@example.com', email: 'ana@example.com', name: null, groups: undefined },
  });
  const parameters = Object.fromEntries(address.searchParams);
  expect(parameters).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(parameters[name]?.length).toBeGreaterThan(40);
  }
  expect(address.href).not.toContain('verifier');
});

const past = Math.floor(Date.now() / 1_000) - 600;
const symmetric = new TextEncoder().encode('secret-of-the-client-that-is-long-enough');

it.each<[string, (nonce: string) => string | Promise<string>]>([
  ['alg none', (nonce) => new UnsecuredJWT(claimsFor(nonce)).encode()],
  [
    'a shared secret',
    (nonce) => new SignJWT(claimsFor(nonce)).setProtectedHeader({ alg: 'HS256' }).sign(symmetric),
  ],
  ['another key under the same name', (nonce) => sign(claimsFor(nonce), other.privateKey)],
  ['an unknown key', (nonce) => sign(claimsFor(nonce), other.privateKey, 'two')],
  ['another audience', (nonce) => sign(claimsFor(nonce, { aud: 'another' }))],
  [
    'an audience of several without a party',
    (nonce) => sign(claimsFor(nonce, { aud: ['holdpoint', 'another'] })),
  ],
  ['another issuer', (nonce) => sign(claimsFor(nonce, { iss: 'https://evil.example' }))],
  ['a token that has expired', (nonce) => sign(claimsFor(nonce, { iat: past, exp: past + 60 }))],
  ['the nonce of another login', () => sign(claimsFor('another-nonce'))],
  ['no nonce', (nonce) => sign({ ...claimsFor(nonce), nonce: undefined })],
  ['no token at all', () => ''],
])('[TEAM-1] refuses an id token with %s', async (_what, make) => {
  const { result } = await login(make);
  expect(result).toMatchObject({ ok: false, code: 'unauthenticated' });
});

it.each([
  ['', new URL(issuer).host],
  ['Acme', 'Acme'],
])('[TEAM-1] is named by its setting %j, or else by its host', (name, shown) => {
  const read = readLoginSettings({
    HOLDPOINT_OIDC_ISSUER: issuer,
    HOLDPOINT_OIDC_CLIENT_ID: 'holdpoint',
    HOLDPOINT_OIDC_NAME: name,
  });
  const settings = read.ok ? read.value.provider : undefined;
  expect(newProvider(settings).provider.name).toBe(shown);
  const tooLong = readLoginSettings({ HOLDPOINT_OIDC_NAME: 'x'.repeat(10_000) });
  expect(tooLong).toMatchObject({ ok: false });
});

it('[TEAM-1] refuses a return of another issuer, and an answer without the state', async () => {
  metadata = { authorization_response_iss_parameter_supported: true };
  const { provider } = newProvider();
  const begun = await provider.begin(CALLBACK);
  metadata = {};
  if (!begun.ok) throw new Error(begun.message);
  const { secrets } = begun.value;
  idToken = await sign(claimsFor(secrets.nonce));
  for (const query of [
    { code: 'a', state: secrets.state, iss: 'https://evil.example' },
    { code: 'a', state: secrets.state },
    { code: 'a', iss: issuer },
    { code: 'a', state: 'another', iss: issuer },
    { error: 'access_denied', state: secrets.state, iss: issuer },
  ]) {
    const callback = new URL(CALLBACK);
    for (const [name, value] of Object.entries(query)) callback.searchParams.set(name, value);
    expect(await provider.finish(callback, secrets)).toMatchObject({ ok: false });
  }
});

it.each([
  ['no address', { email: undefined }],
  ['an address that is none', { email: 'ana' }],
  ['an address with invisible characters', { email: 'an\u200ba@example.com' }],
  ['an address that is not verified', { email_verified: false }],
  ['an address that is said to be not verified', { email_verified: 'false' }],
  ['an address without a word on that', { email_verified: undefined }],
  ['null for verified', { email_verified: null }],
  ['0 for verified', { email_verified: 0 }],
  ['1 for verified', { email_verified: 1 }],
  ['"no" for verified', { email_verified: 'no' }],
  ['"False" for verified', { email_verified: 'False' }],
  ['"TRUE" for verified', { email_verified: 'TRUE' }],
])('[TEAM-1] takes nobody with %s for a person', async (_what, over) => {
  const { result } = await login((nonce) => sign(claimsFor(nonce, over)));
  expect(result).toMatchObject({ ok: false, code: 'forbidden' });
});

it('[TEAM-1] takes an address that a provider without the claim does not call verified only where the settings trust it', async () => {
  const trusting = { trustsEmail: true };
  const signed = async (email_verified: unknown, over: object = {}) =>
    (await login((nonce) => sign(claimsFor(nonce, { email_verified })), over)).result;
  expect(await signed('true')).toMatchObject({ ok: true, value: { email: 'ana@example.com' } });
  expect(await signed(undefined)).toMatchObject({ ok: false, code: 'forbidden' });
  expect(await signed(undefined, trusting)).toMatchObject({ ok: true });
  expect(await signed(false, trusting)).toMatchObject({ ok: false, code: 'forbidden' });
  expect(await signed(null, trusting)).toMatchObject({ ok: false, code: 'forbidden' });
  const bySub = await signed(undefined, { subjectClaim: 'sub' });
  expect(bySub).toMatchObject({ ok: true, value: { subject: 'ana', email: null } });
});

it('[TEAM-1] takes another claim for the subject if the settings say so, and only verified addresses', async () => {
  const over = { subjectClaim: 'sub' };
  const unverified = { email_verified: false };
  const { result } = await login((nonce) => sign(claimsFor(nonce, unverified)), over);
  expect(result).toMatchObject({ ok: true, value: { subject: 'ana', email: null } });
  const reserved = await login((nonce) => sign(claimsFor(nonce, { sub: 'admin' })), over);
  expect(reserved.result).toMatchObject({ ok: false, code: 'forbidden' });
});

it('[TEAM-1] says in a sentence that the provider is out of reach', async () => {
  const { provider, warnings } = newProvider({ issuer: 'http://127.0.0.1:9' });
  expect(await provider.begin(CALLBACK)).toMatchObject({ ok: false, code: 'unavailable' });
  expect(await provider.logoutAddress('https://holdpoint.example/')).toBeUndefined();
  expect(warnings).toHaveLength(1);
});

it('[TEAM-1] asks a provider that fails once in ten seconds, however many people begin a login', async () => {
  let asked = 0;
  const broken = createServer((_request, response) => {
    asked += 1;
    response.writeHead(503).end();
  });
  await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void broken.close());
  const clock = { now: 1_000_000 };
  const { port } = broken.address() as AddressInfo;
  const { provider } = newProvider({ issuer: `http://127.0.0.1:${port}` }, () => clock.now);
  const begin = async () => (await provider.begin(CALLBACK)).ok;
  expect(await Promise.all(Array.from({ length: 100 }, begin))).not.toContain(true);
  expect(asked).toBe(4);
  for (let n = 0; n < 100; n += 1) expect(await begin()).toBe(false);
  expect(asked).toBe(4);
  clock.now += 10_000;
  expect(await begin()).toBe(false);
  expect(asked).toBe(5);
});
