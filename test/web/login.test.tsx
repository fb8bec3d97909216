/**
 * The chat with the cookie of a login in the place of a token.
 *
 * A bug here looks like a person who must ask for a link although their browser is signed in, or who decides under the name of
 * somebody else's link.
 */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { App } from '../../src/web/app/app.tsx';
import type { Browser } from '../../src/web/browser.ts';
import { startServerClock } from '../../src/web/clock.ts';
import { type BrowserSession, readBrowserSession } from '../../src/web/model/browser-session.ts';
import { axeProblems } from '../support/web/axe.ts';
import { startInPageServer } from '../support/web/in-page-server.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';

const LOGIN = { name: 'login.example.com', path: '/auth/login' };
const ADA = {
  subject: 'ada@example.com',
  name: 'Ada',
  role: 'answerer',
  scopes: ['read', 'answer', 'send'],
  credential: 'sgn_1',
  key: 'per_1_1',
  expiresAt: Date.now() + 3_600_000,
};
const MIA = `hp_${btoa(JSON.stringify({ c: ['read'], u: 'mia', x: Date.now() + 3_600_000 })).replaceAll('=', '')}.x`;

function start(fragment: string, sessions: readonly object[], path = '/') {
  let at = fragment;
  let refuse = () => {};
  let asked = 0;
  const store = memoryStore({});
  const visited: string[] = [];
  const people: string[] = [];
  const browser: Browser = {
    store,
    path,
    fragment: () => at,
    go(address) {
      visited.push(address);
      at = new URL(address, location.href).hash;
    },
    watch: () => () => {},
  };
  const askSession = async (): Promise<BrowserSession> => {
    const answer = sessions[Math.min(asked, sessions.length - 1)];
    asked += 1;
    return readBrowserSession(answer);
  };
  const { element } = mount(
    <App
      browser={browser}
      clock={startServerClock()}
      transportFor={(person, onRefused) => {
        refuse = onRefused;
        people.push(`${person.subject}: ${person.scopes.join(' ')} by ${person.token}`);
        return startInPageServer().person;
      }}
      isAccepted={async () => true}
      askSession={askSession}
      agent={async () => 'demo'}
    />,
  );
  return { element, store, visited, people, refuse: () => refuse(), asked: () => asked };
}

const signedIn = (over: object = {}) => ({ login: LOGIN, person: { ...ADA, ...over } });
const nobody = { login: LOGIN, person: null };

const { fetch } = globalThis;
const sent: { path: string; body: unknown; headers: Headers }[] = [];

beforeEach(() => page.viewport(390, 800));
afterEach(() => {
  globalThis.fetch = fetch;
  sent.length = 0;
});

/** Plays the server for the requests of the login. */
function answerWith(status: number, body: object): void {
  globalThis.fetch = async (input, init) => {
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    const headers = new Headers(init?.headers);
    const text = typeof init?.body === 'string' ? init.body : 'null';
    sent.push({ path: address.pathname, body: JSON.parse(text), headers });
    return Response.json(body, { status });
  };
}

it('[TEAM-1] opens with the cookie alone, and keeps no token', async () => {
  const { people, store } = start('', [signedIn()]);
  await expect.poll(() => people).toEqual(['ada@example.com: read answer send by cookie']);
  expect(store.get('holdpoint.token')).toBeUndefined();
});

it('[TEAM-1] goes on with another role when the server refuses the former one', async () => {
  const { people, refuse } = start('', [signedIn(), signedIn({ scopes: ['read'] })]);
  await expect.poll(() => people).toHaveLength(1);
  refuse();
  await expect.poll(() => people.at(-1)).toBe('ada@example.com: read by cookie');
});

it('[TEAM-1] says that a sign-in has ended, and offers the login', async () => {
  const { refuse, people, element } = start('', [signedIn(), nobody]);
  await expect.poll(() => people).toHaveLength(1);
  refuse();
  await expect.element(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: 'Sign in with login.example.com' }))
    .toBeVisible();
  expect(await axeProblems(element)).toEqual([]);
});

it('[TEAM-1] does not ask forever for a cookie that the server refuses all the same', async () => {
  const { refuse, people, asked } = start('', [signedIn()]);
  await expect.poll(() => people).toHaveLength(1);
  refuse();
  await expect.poll(() => people).toHaveLength(2);
  refuse();
  await expect.element(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  expect(asked()).toBeLessThanOrEqual(3);
});

it('[AUTH-1, TEAM-1] asks before a token in a link replaces the person of the cookie', async () => {
  const { people } = start(`#token=${MIA}`, [signedIn()]);
  await expect.element(page.getByRole('heading', { name: 'Sign in as mia?' })).toBeVisible();
  await page.getByRole('button', { name: 'Stay ada@example.com' }).click();
  await expect.poll(() => people.at(-1)).toContain('ada@example.com');
});

it('[TEAM-1] begins the login with a press, and says what went wrong', async () => {
  start('#session=ses_1', [nobody]);
  answerWith(404, { error: { code: 'not_found', message: 'This server has no login' } });
  await page.getByRole('button', { name: 'Sign in with login.example.com' }).click();
  await expect.element(page.getByRole('alert').first()).toHaveTextContent('no login');
  expect(sent).toMatchObject([{ path: '/auth/login', body: { to: '/#session=ses_1' } }]);
  expect(sent[0]?.headers.get('X-Holdpoint-Client')).toBe('web');
});

it('[TEAM-1] comes back from the login to the request in the inbox that was opened', async () => {
  start('#session=ses_1&interaction=a~1', [nobody], '/inbox');
  answerWith(404, { error: { code: 'not_found', message: 'This server has no login' } });
  await page.getByRole('button', { name: 'Sign in with login.example.com' }).click();
  await expect
    .poll(() => sent)
    .toMatchObject([{ body: { to: '/inbox#session=ses_1&interaction=a%7E1' } }]);
});

it('[TEAM-1] takes an invitation out of the address, and does nothing with it before a press', async () => {
  const { visited, element, store, people } = start('#invitation=secret', [
    { login: null, person: null },
  ]);
  await expect.element(page.getByRole('heading', { name: 'You are invited' })).toBeVisible();
  expect(visited[0]).not.toContain('invitation');
  expect(await axeProblems(element)).toEqual([]);
  answerWith(201, { token: MIA });
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await expect.poll(() => people.at(-1)).toContain('mia');
  // The chat asks for names as soon as the person is in.
  const accepted = sent.filter(({ path }) => path !== '/v1/names');
  expect(accepted).toMatchObject([
    { path: '/v1/invitations/accept', body: { invitation: 'secret' } },
  ]);
  await expect.poll(() => store.get('holdpoint.token')).toBe(MIA);
});

it('[TEAM-1] shows an invitation that was used, and lets the person of the cookie go on', async () => {
  const { people } = start('#invitation=secret', [signedIn()]);
  answerWith(410, { error: { code: 'link_expired', message: 'This invitation was used already' } });
  await page.getByRole('button', { name: 'Sign in with login.example.com' }).click();
  await expect.element(page.getByRole('alert').first()).toHaveTextContent('was used already');
  await page.getByRole('button', { name: 'Go on as ada@example.com' }).click();
  await expect.poll(() => people.at(-1)).toContain('ada@example.com');
});
