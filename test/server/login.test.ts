/**
 * A login with a real provider, from the button to the sign-out, over HTTP.
 *
 * A bug here looks like a person who is in with the rights of another one, or whom no administrator can get out again.
 */
import { beforeEach, expect, it } from 'vitest';
import { startLocalApp } from '../support/http/local-app.ts';
import { sealedTexts } from '../../src/platform/login/sealed-texts.ts';
import { ADMIN_KEY, SECRET } from '../support/http/server.ts';
import { TestBrowser } from '../support/login/browser.ts';
import { CLIENT, startOpenIdServer } from '../support/login/open-id-server.ts';

const CALLBACK = 'https://in-process/auth/callback';
const provider = await startOpenIdServer(() => [CALLBACK]);
const app = startLocalApp({
  login: {
    provider: {
      issuer: provider.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      scopes: 'openid email profile',
      subjectClaim: 'email',
      groupsClaim: 'groups',
      trustsEmail: false,
    },
    access: undefined,
    domains: ['example.com'],
    role: 'viewer',
    admins: ['root@example.com'],
  },
});
const COOKIE = '__Host-holdpoint-sign-in';
let people = 0;

/** An address that no other test uses. */
function freshEmail(domain = 'example.com'): string {
  people += 1;
  return `person${people}@${domain}`;
}

beforeEach(() => {
  provider.account = { email: freshEmail(), name: 'Ana' };
});

async function signIn(email: string, path = '/auth/login?to=/inbox') {
  provider.account = { email, name: 'Ana' };
  const browser = new TestBrowser(app);
  const arrived = await browser.visit(path, (url) => url.pathname === '/inbox');
  return { browser, arrived };
}

/** The parts of replies that these tests read. */
interface AdminReply {
  readonly link: string;
  readonly token: string;
  readonly person: { readonly groups: readonly string[] };
  readonly people: readonly {
    readonly subject: string;
    readonly role: string;
    readonly status: string;
  }[];
  readonly ended: object;
  readonly entries: readonly { readonly named?: string; readonly change?: string }[];
  readonly error: { readonly code: string };
}

async function asAdmin(method: string, path: string, json?: object) {
  const response = await (app.fetch ?? fetch)(`${app.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    json: (text === '' ? {} : JSON.parse(text)) as AdminReply,
  };
}

const invite = (email: string, role: string) => asAdmin('POST', '/v1/people', { email, role });

it('[TEAM-1] signs a person in by code flow and PKCE, and the cookie is a person with a role', async () => {
  const email = freshEmail();
  await invite(email, 'answerer');
  const { browser, arrived } = await signIn(email);
  expect(arrived.url).toBe('https://in-process/inbox');
  const me = await browser.send('/v1/me');
  expect(me.json).toMatchObject({
    subject: email,
    role: 'answerer',
    name: 'Ana',
    workspace: 'main',
    scopes: ['read', 'answer', 'send'],
  });
  const { json } = await browser.send('/auth/session');
  expect(json).toMatchObject({
    login: { name: new URL(provider.issuer).host, path: '/auth/login' },
    person: { subject: email, role: 'answerer' },
  });
  const listed = await asAdmin('GET', `/v1/people/${email}`);
  expect(listed.json).toMatchObject({
    person: { status: 'active', email, invitedBy: 'admin' },
    ends: { signIns: 1, tokens: 0, devices: 0 },
  });
});

it('[AUTH-4] sends the cookie to no script, to no other site, and over TLS alone', async () => {
  provider.account = { email: freshEmail() };
  const browser = new TestBrowser(app);
  await browser.visit('/auth/login');
  const lines = (await browser.visit('/auth/login', (url) => url.pathname === '/')).headers;
  const [line] = lines.getSetCookie().filter((one) => one.startsWith(COOKIE));
  expect(line).toMatch(
    /^__Host-holdpoint-sign-in=[^;]+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(lines.get('Referrer-Policy')).toBe('no-referrer');
  expect(lines.get('Cache-Control')).toBe('no-store');
});

it('[TEAM-1] asks unknown people to ask an administrator, except those of the domains of the settings', async () => {
  const { arrived, browser } = await signIn(freshEmail('elsewhere.example'));
  expect(arrived.status).toBe(403);
  expect(arrived.text).toContain('ask an administrator');
  expect(browser.cookies.has(COOKIE)).toBe(false);
  const known = await signIn(freshEmail());
  expect((await known.browser.send('/v1/me')).json).toMatchObject({ role: 'viewer' });
});

it('[TEAM-1] makes the people of the settings administrators, and the one of a link of the administrator', async () => {
  const root = await signIn('root@example.com');
  expect((await root.browser.send('/v1/people')).status).toBe(200);

  const { json } = await asAdmin('POST', '/v1/people/admin-link');
  const invitation = new URL(json.link).hash.replace('#invitation=', '');
  const claim = async (email: string) => {
    provider.account = { email };
    const browser = new TestBrowser(app);
    const begun = await browser.send('/auth/login', { method: 'POST', json: { invitation } });
    await browser.visit(String(begun.json['location']), (url) => url.pathname === '/');
    return browser.send('/v1/me');
  };
  expect((await claim(freshEmail())).json).toMatchObject({ role: 'admin' });
  // It is good once: the next person who follows it is nobody.
  expect((await claim(freshEmail())).status).toBe(401);
});

it('[TEAM-1] never takes an unverified address for a person', async () => {
  const email = freshEmail();
  await invite(email, 'admin');
  provider.account = { email, emailVerified: false };
  const browser = new TestBrowser(app);
  const arrived = await browser.visit('/auth/login');
  expect(arrived.status).toBe(403);
  expect(arrived.text).toContain('not verified');
});

it('[TEAM-1] follows the groups that the provider names, and leaves those of administrators', async () => {
  await asAdmin('PUT', '/v1/groups/ops', { subjects: [] });
  await asAdmin('PUT', '/v1/groups/leads', { subjects: [] });
  const email = freshEmail();
  await asAdmin('POST', '/v1/people', { email, role: 'answerer', groups: ['leads'] });
  const groupsAfter = async (groups: readonly string[]) => {
    provider.account = { email, groups };
    await new TestBrowser(app).visit('/auth/login', (url) => url.pathname === '/');
    return (await asAdmin('GET', `/v1/people/${email}`)).json.person.groups;
  };
  expect(await groupsAfter(['ops', 'unheard-of'])).toEqual(['leads', 'ops']);
  expect(await groupsAfter([])).toEqual(['leads']);
});

it('[TEAM-1] refuses a return without the secrets of this browser, or with the state of another login', async () => {
  const victim = new TestBrowser(app);
  const attacker = new TestBrowser(app);
  provider.account = { email: freshEmail() };
  const stop = (url: URL) => url.pathname === '/auth/callback';
  const { url: stolen } = await attacker.visit('/auth/login', stop);
  // A login of the attacker, finished in the browser of the victim.
  const planted = await victim.visit(stolen);
  expect(planted.status).toBe(401);
  expect(planted.text).toContain('begun in another browser');
  // The victim has a login of their own under way: its state is another one.
  await victim.visit('/auth/login', stop);
  const mixed = await victim.visit(stolen);
  expect(mixed.status).toBe(401);
  expect(victim.cookies.has(COOKIE)).toBe(false);
});

it('[TEAM-1] takes a return once: its secrets are erased, and its code is used', async () => {
  provider.account = { email: freshEmail() };
  const browser = new TestBrowser(app);
  const { url: callback } = await browser.visit(
    '/auth/login',
    (url) => url.pathname === '/auth/callback',
  );
  const kept = new Map(browser.cookies);
  await browser.visit(callback, (url) => url.pathname === '/');
  expect(browser.cookies.has('__Host-holdpoint-login')).toBe(false);
  expect((await browser.visit(callback)).status).toBe(401);
  // Even with a copy of the cookie: the provider takes a code once.
  const copy = new TestBrowser(app);
  for (const [name, value] of kept) copy.cookies.set(name, value);
  expect((await copy.visit(callback)).status).toBe(401);
  expect(copy.cookies.has(COOKIE)).toBe(false);
});

it.each([
  ['https://evil.example/'],
  ['//evil.example/'],
  ['/\\evil.example/'],
  ['\\/evil.example'],
  ['/%2f/evil.example@/'],
  ['javascript:alert(1)'],
  ['/inbox\r\nSet-Cookie: a=b'],
  ['/v1/people'],
  ['/auth/logout'],
])('[TEAM-1] returns to a page of this service alone, not to %j', async (to) => {
  provider.account = { email: freshEmail() };
  const browser = new TestBrowser(app);
  const arrived = await browser.visit(
    `/auth/login?to=${encodeURIComponent(to)}`,
    ({ host, pathname }) => {
      return host === 'in-process' && pathname !== '/auth/callback';
    },
  );
  expect(arrived.url).toBe('https://in-process/');
});

it('[TEAM-1] begins a new sign-in with each login, and ends the one that the browser had', async () => {
  const { browser } = await signIn(freshEmail());
  const before = browser.cookies.get(COOKIE) ?? '';
  // Fixation: an attacker who planted this cookie knows it.
  await browser.visit('/auth/login?to=/inbox', (url) => url.pathname === '/inbox');
  const after = browser.cookies.get(COOKIE) ?? '';
  expect(after).not.toBe(before);
  expect((await browser.send('/v1/me')).status).toBe(200);
  browser.cookies.set(COOKIE, before);
  expect((await browser.send('/v1/me')).status).toBe(401);
});

it('[TEAM-1] ends a stolen cookie with the sign-out, and sends the browser to the page of the provider', async () => {
  const { browser } = await signIn(freshEmail());
  const stolen = browser.cookies.get(COOKIE) ?? '';
  const left = await browser.send('/auth/logout', { method: 'POST', json: {} });
  const location = new URL(String(left.json['location']));
  expect(location.origin).toBe(provider.issuer);
  expect(location.searchParams.get('post_logout_redirect_uri')).toBe('https://in-process/');
  expect(browser.cookies.has(COOKIE)).toBe(false);
  const thief = new TestBrowser(app);
  thief.cookies.set(COOKIE, stolen);
  expect((await thief.send('/v1/me')).status).toBe(401);
});

it('[AUTH-4] refuses what another site sends with the cookie, and what it could send without a preflight', async () => {
  const email = freshEmail();
  await invite(email, 'admin');
  const { browser } = await signIn(email);
  const create = (how: object) => browser.send('/v1/sessions', { method: 'POST', ...how });
  expect((await create({ json: {} })).status).toBe(201);
  for (const how of [
    { json: {}, from: 'https://evil.example' },
    { json: {}, from: 'https://app.in-process' },
    { json: {}, from: 'http://in-process' },
    { json: {}, from: 'null' },
    // Forms and text need no preflight.
    { headers: { 'Content-Type': 'text/plain', Origin: 'https://in-process' } },
    { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    // A program that is no browser sends no origin; it has no business with a cookie.
    { json: {}, from: null },
    { json: {}, headers: { 'Sec-Fetch-Site': 'same-site' } },
  ]) {
    expect([(await create(how)).status, how]).toEqual([403, how]);
  }
  expect((await browser.send('/v1/me', { from: 'https://evil.example' })).status).toBe(403);
  expect(
    (await browser.send('/auth/logout', { method: 'POST', from: 'https://evil.example' })).status,
  ).toBe(403);
  expect((await browser.send('/v1/me')).status).toBe(200);
});

it('[AUTH-4] lets a token win over the cookie, and takes neither in the place of the other', async () => {
  const { browser } = await signIn(freshEmail());
  const cookie = browser.cookies.get(COOKIE) ?? '';
  const { json } = await browser.send('/v1/me', {
    headers: { Authorization: `Bearer ${ADMIN_KEY}` },
  });
  expect(json).toMatchObject({ subject: 'admin' });
  const wrong = { headers: { Authorization: 'Bearer nonsense' } };
  expect((await browser.send('/v1/me', wrong)).status).toBe(401);
  const bearer = new TestBrowser(app);
  const asToken = { headers: { Authorization: `Bearer ${cookie}` } };
  expect((await bearer.send('/v1/me', asToken)).status).toBe(401);
  const { json: minted } = await asAdmin('POST', '/v1/tokens', { scopes: ['read'] });
  for (const value of [minted.token, ADMIN_KEY, cookie.slice(0, -2), `${cookie}x`, `x.${cookie}`]) {
    bearer.cookies.set(COOKIE, value);
    expect((await bearer.send('/v1/me')).status).toBe(401);
  }
});

it('[TEAM-1] follows a change of the role at once', async () => {
  const email = freshEmail();
  await invite(email, 'answerer');
  const { browser } = await signIn(email);
  const { json } = await browser.send('/v1/tokens', {
    method: 'POST',
    json: { scopes: ['answer'] },
  });
  await asAdmin('PATCH', `/v1/people/${email}`, { role: 'viewer' });
  const answer = { method: 'POST', json: { decisions: [] } };
  expect((await browser.send('/v1/sessions/none/interactions/decide', answer)).status).toBe(403);
  expect((await browser.send('/v1/me')).json).toMatchObject({ role: 'viewer', scopes: ['read'] });
  const token = { headers: { Authorization: `Bearer ${String(json['token'])}` } };
  expect((await new TestBrowser(app).send('/v1/me', token)).status).toBe(401);
});

it('[TEAM-1] ends everything of a person who leaves, and a login brings nobody back', async () => {
  const email = freshEmail();
  await invite(email, 'answerer');
  const { browser } = await signIn(email);
  const minted = await asAdmin('POST', '/v1/tokens', { scopes: ['read'], subject: email });
  const { json } = await asAdmin('DELETE', `/v1/people/${email}`);
  expect(json.ended).toEqual({ signIns: 1, tokens: 1, devices: 0 });
  expect((await browser.send('/v1/me')).status).toBe(401);
  const token = { headers: { Authorization: `Bearer ${minted.json.token}` } };
  expect((await new TestBrowser(app).send('/v1/me', token)).status).toBe(401);
  const again = await signIn(email);
  expect(again.arrived.status).toBe(403);
  expect(again.arrived.text).toContain('removed');
  const audit = await asAdmin('GET', '/v1/audit?limit=20');
  const entries = audit.json.entries.filter(({ named }) => named === email);
  expect(entries.map(({ change }) => change)).toContain(
    'removed, with 1 sign-ins, 1 tokens and 0 devices',
  );
  expect((await invite(email, 'viewer')).status).toBe(201);
  expect((await (await signIn(email)).browser.send('/v1/me')).json).toMatchObject({
    role: 'viewer',
  });
});

it('[TEAM-1] lists the sign-ins of a person, who ends one or all others, and an administrator anybody’s', async () => {
  const email = freshEmail();
  const { browser: one } = await signIn(email);
  const { browser: two } = await signIn(email);
  const { browser: three } = await signIn(email);
  const mine = await one.send('/v1/me/sign-ins');
  const ids = (mine.json['signIns'] as { id: string; subject: string }[]).map(({ id }) => id);
  expect(ids).toHaveLength(3);
  expect(ids).toContain(mine.json['current']);
  const { browser: other } = await signIn(freshEmail());
  const header = { 'X-Holdpoint-Client': 'web' };
  const remove = (browser: TestBrowser, path: string) =>
    browser.send(path, { method: 'DELETE', headers: header });
  expect((await remove(other, `/v1/me/sign-ins/${ids[0]}`)).status).toBe(404);
  expect((await remove(one, '/v1/me/sign-ins')).json).toEqual({ ended: 2 });
  expect([(await two.send('/v1/me')).status, (await three.send('/v1/me')).status]).toEqual([
    401, 401,
  ]);
  expect((await one.send('/v1/me')).status).toBe(200);
  const current = String(mine.json['current']);
  expect((await asAdmin('DELETE', `/v1/sign-ins/${current}`)).status).toBe(204);
  expect((await one.send('/v1/me')).status).toBe(401);
});

it('[TEAM-1] keeps the last administrator, and does not say so for others', async () => {
  const people = (await asAdmin('GET', '/v1/people')).json.people;
  const admins = people.filter(({ role, status }) => role === 'admin' && status === 'active');
  const [last, ...others] = admins;
  for (const { subject } of others) {
    expect((await asAdmin('PATCH', `/v1/people/${subject}`, { role: 'viewer' })).status).toBe(200);
  }
  const path = `/v1/people/${last?.subject}`;
  const demoted = await asAdmin('PATCH', path, { role: 'viewer' });
  expect([demoted.status, demoted.json.error.code]).toEqual([409, 'last_admin']);
  expect((await asAdmin('DELETE', path)).json.error.code).toBe('last_admin');
});

it('[TEAM-1] gives a cookie no workspace but its own', async () => {
  const { browser } = await signIn(freshEmail());
  const value = browser.cookies.get(COOKIE) ?? '';
  const [payload = '', signature = ''] = value.split('.');
  const text = Buffer.from(payload, 'base64url').toString().replace('"main"', '"other"');
  browser.cookies.set(COOKIE, `${Buffer.from(text).toString('base64url')}.${signature}`);
  expect((await browser.send('/v1/me')).status).toBe(401);
  // Even one that this service wrote: the person is in no other directory.
  const { claims } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { claims: object };
  const seals = sealedTexts(SECRET, Date.now);
  const there = { ...claims, workspace: 'other' };
  browser.cookies.set(COOKIE, seals.seal('sign-in', there, Date.now() + 60_000));
  expect((await browser.send('/v1/me')).status).toBe(401);
  expect((await browser.send('/v1/sessions', { method: 'POST', json: {} })).status).toBe(401);
  // Another purpose, or a past expiry, is no sign-in.
  for (const text of [
    seals.seal('login', claims, Date.now() + 60_000),
    seals.seal('invitation', claims, Date.now() + 60_000),
    seals.seal('sign-in', claims, Date.now() - 1),
  ]) {
    browser.cookies.set(COOKIE, text);
    expect((await browser.send('/v1/me')).status).toBe(401);
  }
});
