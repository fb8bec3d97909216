/** From a link to a first question, and every screen on the way. */
import { beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { App } from '../../src/web/app/app.tsx';
import type { Browser } from '../../src/web/browser.ts';
import { startServerClock } from '../../src/web/clock.ts';
import { axeProblems } from '../support/web/axe.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { startInPageServer } from '../support/web/in-page-server.ts';

const DAY = 24 * 3_600_000;

const tokenOf = (claims: object) => `hp_${btoa(JSON.stringify(claims)).replaceAll('=', '')}.x`;
const ADA = tokenOf({ c: ['read', 'answer', 'send'], u: 'ada', x: Date.now() + DAY });

/** A browser that records navigation. */
function browserAt(fragment: string, kept: Record<string, string> = {}, path = '/') {
  let at = fragment;
  let moved = () => {};
  const visited: string[] = [];
  const browser: Browser = {
    store: memoryStore(kept),
    path,
    fragment: () => at,
    go(address, how) {
      visited.push(`${how} ${address}`);
      at = new URL(address, location.href).hash;
    },
    watch(call) {
      moved = call;
      return () => {};
    },
  };
  const follow = (next: string) => {
    at = next;
    moved();
  };
  return { browser, visited, follow };
}

function start(
  at: ReturnType<typeof browserAt>,
  agent = 'demo',
  made = startInPageServer(),
  isAccepted: (token: string) => boolean = () => true,
) {
  let signedOut = () => {};
  const tokens: string[] = [];
  const askedWith: string[] = [];
  const clock = startServerClock();
  const { element } = mount(
    <App
      browser={at.browser}
      clock={clock}
      transportFor={(person, onRefused) => {
        signedOut = onRefused;
        tokens.push(person.token);
        return made.person;
      }}
      isAccepted={async ({ token }) => isAccepted(token)}
      agent={async ({ token }) => {
        askedWith.push(token);
        return agent;
      }}
    />,
  );
  return { ...made, element, tokens, askedWith, signOut: () => signedOut() };
}

beforeEach(() => page.viewport(1280, 800));

it('[AUTH-1] takes the token out of the address before anything else', async () => {
  const at = browserAt(`#token=${ADA}&session=ses_1`);
  const { tokens } = start(at);
  await expect.poll(() => tokens).toEqual([ADA]);
  expect(at.visited[0]).toBe('replace /#session=ses_1');
  expect(at.browser.fragment()).not.toContain('token');
});

it('brings a newcomer to a first question with one press', async () => {
  const { element, owner, agent } = start(browserAt(`#token=${ADA}`));
  await expect
    .element(page.getByRole('heading', { name: 'What should the agent do?' }))
    .toBeVisible();
  await expect.element(page.getByText('no model connected')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: 'Answer questions' }).click();
  await expect
    .element(page.getByRole('heading', { name: 'Answer questions', level: 1 }))
    .toBeVisible();
  await expect.element(page.getByText('questions').last()).toBeVisible();
  const { sessions } = await owner.sessions();
  expect(sessions).toHaveLength(1);
  const { id = '' } = sessions[0] ?? {};
  // What is tried before lunch still waits after it.
  const { timeouts } = (await owner.snapshot(id)).session;
  expect(timeouts).toEqual({ approval: null, question: null, plan_review: null, form: null });
  await agent.open(id, { kind: 'approval', toolName: 'Bash', input: {} });
  await expect.poll(() => document.title).toBe('(1) Holdpoint');
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it('begins a session in plan mode, where a plan is to be shown', async () => {
  const { owner } = start(browserAt(`#token=${ADA}`));
  await page.getByRole('button', { name: 'Review a plan' }).click();
  await expect.element(page.getByRole('button', { name: 'Mode: Plan mode' })).toBeVisible();
  const { sessions } = await owner.sessions();
  expect((await owner.snapshot(sessions[0]?.id ?? '')).session.permissionMode).toBe('plan');
});

it('begins with a message of the person', async () => {
  const { owner } = start(browserAt(`#token=${ADA}`), 'claude-sonnet-5-5');
  await page.getByRole('textbox', { name: 'First message' }).fill('  Plan   my week\nplease');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('heading', { name: 'Plan my week please' })).toBeVisible();
  expect((await owner.sessions()).sessions).toHaveLength(1);
});

it('[UI-8] keeps the first message when it could not be sent', async () => {
  const made = startInPageServer();
  made.person.sendMessage = () => ({
    routed: Promise.reject(new Error('No model')),
    async *[Symbol.asyncIterator]() {},
  });
  start(browserAt(`#token=${ADA}`), 'claude-sonnet-5-5', made);
  await page.getByRole('textbox', { name: 'First message' }).fill('Plan my week');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveValue('Plan my week');
});

it('[RUN-9] asks for the model with the credential of the person', async () => {
  const { askedWith } = start(browserAt(`#token=${ADA}`));
  await expect.element(page.getByText('scripted agent, no model connected')).toBeVisible();
  expect(askedWith).toEqual([ADA]);
});

it('says so without a built-in agent, and for read-only people', async () => {
  start(browserAt(`#token=${ADA}`), 'none');
  await expect.element(page.getByText('This server has no agent of its own.')).toBeVisible();
  expect(page.getByRole('textbox').elements()).toHaveLength(0);
});

it('[RUN-9] marks sessions of the demo model, and not those of external agents', async () => {
  const made = startInPageServer();
  const { id } = await made.owner.createSession({ agent: {} });
  const elsewhere = await made.owner.createSession({ title: 'Elsewhere' });
  const at = browserAt(`#session=${id}&token=${ADA}`);
  start(at, 'demo', made);
  await expect.element(page.getByText('scripted agent, no model connected')).toBeVisible();
  at.follow(`#session=${elsewhere.id}`);
  await expect.element(page.getByRole('heading', { name: 'Elsewhere' })).toBeVisible();
  expect(page.getByText('scripted agent, no model connected').elements()).toHaveLength(0);
});

it('goes from session to session, and back', async () => {
  const made = startInPageServer();
  const one = await made.owner.createSession({ title: 'First one' });
  await made.owner.createSession({ title: 'Second one' });
  const at = browserAt(`#token=${ADA}`);
  const { element } = start(at, 'demo', made);
  await expect.element(page.getByRole('link', { name: 'Second one' })).toBeVisible();
  at.follow(`#session=${one.id}`);
  await expect.element(page.getByRole('heading', { name: 'First one' })).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'First one' }))
    .toHaveAttribute('aria-current', 'page');
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  at.follow('');
  await expect
    .element(page.getByRole('heading', { name: 'What should the agent do?' }))
    .toBeVisible();
});

it('[UI-9] counts open requests in every session, also beyond the loaded page', async () => {
  const made = startInPageServer();
  const old = await made.owner.createSession({ title: 'The oldest' });
  // Pages have the order in which the workspace learned of the sessions.
  await expect.poll(async () => (await made.owner.sessions()).sessions.length).toBe(1);
  for (let at = 0; at < 50; at += 1) await made.owner.createSession({ title: `Later ${at}` });
  await made.agent.open(old.id, { kind: 'approval', toolName: 'Bash', input: {} });
  start(browserAt(`#token=${ADA}`), 'none', made);
  await expect.element(page.getByRole('button', { name: 'Show older' })).toBeVisible();
  expect(page.getByRole('link', { name: 'The oldest' }).query()).toBeNull();
  await expect
    .element(page.getByRole('link', { name: 'Inbox' }))
    .toHaveTextContent('1 waiting for you');
  await expect.poll(() => document.title).toBe('(1) Holdpoint');
  // A listed session is updated with every event.
  await page.getByRole('button', { name: 'Show older' }).click();
  const row = page.getByRole('link', { name: 'The oldest' });
  await expect.element(row).toHaveTextContent('1 waiting for you');
  await made.agent.open(old.id, { kind: 'approval', toolName: 'Bash', input: {} });
  await expect.element(row).toHaveTextContent('2 waiting for you');
});

it('[UI-10] shows the list behind a button on a phone', async () => {
  await page.viewport(320, 640);
  const made = startInPageServer();
  const { id } = await made.owner.createSession({
    title: 'A title that is much too long for a phone',
  });
  const { element } = start(browserAt(`#session=${id}&token=${ADA}`), 'demo', made);
  await page.getByRole('button', { name: 'Sessions' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Sessions' })).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'New session' })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBe(320);
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => page.getByRole('dialog').elements()).toHaveLength(0);
  for (const button of element.querySelectorAll('button, .way, .session-row')) {
    const { height, width } = button.getBoundingClientRect();
    if (width > 0) expect(height, button.outerHTML).toBeGreaterThanOrEqual(44);
  }
});

it('asks for a link, and accepts a link or a token', async () => {
  const { element } = start(browserAt(''));
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByLabelText('Or paste the link').fill('hp_nonsense');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.element(page.getByRole('alert')).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByLabelText('Or paste the link').fill(`http://127.0.0.1:8787/#token=${ADA}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect
    .element(page.getByRole('heading', { name: 'What should the agent do?' }))
    .toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect.element(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

it('[TRN-7] says what to do when a link has expired, and keeps the drafts', async () => {
  const old = tokenOf({ c: ['read'], u: 'ada', x: Date.now() - 1 });
  const at = browserAt('', { 'holdpoint.token': old, 'holdpoint.draft.ses_1': 'half a thought' });
  const { tokens } = start(at);
  await expect.element(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  expect(tokens).toEqual([]);
  at.follow(`#token=${ADA}`);
  await expect
    .element(page.getByRole('heading', { name: 'What should the agent do?' }))
    .toBeVisible();
  expect(at.browser.store.get('holdpoint.draft.ses_1')).toBe('half a thought');
});

it('[TRN-7] says so when the server no longer accepts a token', async () => {
  const { element, signOut, tokens } = start(browserAt(`#token=${ADA}`));
  await expect.poll(() => tokens).toHaveLength(1);
  signOut();
  await expect.element(page.getByRole('heading', { name: 'This link has expired' })).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
});

it('[AUTH-1] shows the one session that a session token is for, and no list', async () => {
  const made = startInPageServer();
  const { id } = await made.owner.createSession({ title: 'Only this one' });
  const token = tokenOf({ c: ['read', 'answer'], u: 'ada', x: null, s: id });
  start(browserAt(`#token=${token}`), 'none', made);
  await expect.element(page.getByRole('heading', { name: 'Only this one' })).toBeVisible();
  expect(page.getByRole('navigation').elements()).toHaveLength(0);
});

/** One transport serves every person who signs in here in turn. */
function worldForMany() {
  const made = startInPageServer();
  made.person.close = () => undefined;
  return made;
}

const MIA = tokenOf({ c: ['read', 'answer', 'send'], u: 'mia', x: Date.now() + DAY });

it('[AUTH-1] asks before a link replaces the person who is signed in', async () => {
  const at = browserAt('', { 'holdpoint.token': ADA });
  const { element, tokens } = start(at, 'demo', worldForMany());
  await expect.poll(() => tokens).toEqual([ADA]);
  at.follow(`#token=${MIA}`);
  await expect.element(page.getByRole('heading', { name: 'Sign in as mia?' })).toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  expect(at.browser.store.get('holdpoint.token')).toBe(ADA);
  await page.getByRole('button', { name: 'Stay ada' }).click();
  await expect
    .element(page.getByRole('heading', { name: 'What should the agent do?' }))
    .toBeVisible();
  expect(tokens).not.toContain(MIA);
  at.follow(`#token=${MIA}`);
  await page.getByRole('button', { name: 'Switch to mia' }).click();
  await expect.poll(() => tokens.at(-1)).toBe(MIA);
  await expect.poll(() => at.browser.store.get('holdpoint.token')).toBe(MIA);
});

it('[AUTH-1, TRN-7] a broken link says so, is not stored, and signs no one out', async () => {
  const at = browserAt('', { 'holdpoint.token': ADA });
  const { element } = start(at, 'demo', worldForMany(), (token) => token === ADA);
  await expect
    .element(page.getByRole('heading', { name: 'What should the agent do?' }))
    .toBeVisible();
  at.follow('#token=hp_nonsense');
  await expect
    .element(page.getByRole('heading', { name: 'This link does not work' }))
    .toBeVisible();
  expect(await axeProblems(element, { isPage: true })).toEqual([]);
  await page.getByRole('button', { name: 'Go on as ada' }).click();
  await expect
    .element(page.getByRole('heading', { name: 'What should the agent do?' }))
    .toBeVisible();
  at.follow(`#token=${MIA}`);
  await page.getByRole('button', { name: 'Switch to mia' }).click();
  await expect
    .element(page.getByRole('heading', { name: 'This link does not work' }))
    .toBeVisible();
  expect(at.browser.store.get('holdpoint.token')).toBe(ADA);
  await page.getByRole('button', { name: 'Go on as ada' }).click();
  await expect
    .element(page.getByRole('heading', { name: 'What should the agent do?' }))
    .toBeVisible();
});

it('[AUTH-1] stores nothing of a first link that the server refuses', async () => {
  const at = browserAt(`#token=${MIA}`);
  start(at, 'demo', startInPageServer(), () => false);
  await expect
    .element(page.getByRole('heading', { name: 'This link does not work' }))
    .toBeVisible();
  expect(at.browser.store.get('holdpoint.token')).toBeUndefined();
});
