/** Search and commands. A bug here approves by a stray Enter, or finds less than there is. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Chat } from '../../src/web/app/chat.tsx';
import { startServerClock } from '../../src/web/clock.ts';
import { fetchLaterParts } from '../../src/web/hooks/use-later-parts.ts';
import { addressOf, type Location } from '../../src/web/model/location.ts';
import type { Person } from '../../src/web/model/person.ts';
import { axeProblems } from '../support/web/axe.ts';
import { type InPageServer, startInPageServer } from '../support/web/in-page-server.ts';
import { memoryStore } from '../support/web/memory-store.ts';
import { mount } from '../support/web/mount.ts';
import { personWith } from '../support/web/person.ts';
import { inLongRun } from '../support/run-length.ts';

const field = () => page.getByRole('combobox', { name: /Sessions, requests/ });
const options = () => [...document.querySelectorAll<HTMLElement>('[role="option"]')];
const names = () => options().map((one) => one.querySelector('.palette-words')?.textContent);
const active = () =>
  document.getElementById(
    document.querySelector('[role="combobox"]')?.getAttribute('aria-activedescendant') ?? '',
  );
const option = (name: string | RegExp) => page.getByRole('option', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const press = (keys: string) => userEvent.keyboard(keys);
const opens = () => press('{Control>}k{/Control}');

interface Shown {
  readonly location?: Location;
  readonly person?: Person;
}

async function show(
  made: InPageServer,
  { location = {}, person = personWith('read', 'answer', 'send') }: Shown = {},
) {
  await fetchLaterParts();
  const visited: string[] = [];
  const onSignOut = vi.fn<() => void>();
  const store = memoryStore();
  const clock = startServerClock();
  const draw = (at: Location) => (
    <Chat
      {...{ person, store, clock, onSignOut }}
      location={at}
      transport={made.person}
      agent="none"
      onGo={(next) => {
        visited.push(addressOf(next));
        mounted.show(draw(next));
      }}
    />
  );
  const mounted = mount(draw(location));
  await expect.element(page.getByRole('main')).toBeVisible();
  // Effects that listen for keys run after the frame is drawn.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
  return { element: mounted.element, visited, onSignOut, store };
}

async function withRequest(title: string, command = 'make deploy') {
  const made = startInPageServer();
  const { id } = await made.owner.createSession({ title });
  const request = { kind: 'approval', toolName: 'Bash', toolCallId: 'c1', input: { command } };
  await made.agent.open(id, request);
  return { made, id };
}

beforeEach(() => page.viewport(1280, 800));

describe('[BOX-5] the palette', () => {
  inLongRun(() => {
    it('opens by its key in a field too, and closes with it and with Esc, where the focus was', async () => {
      const { made, id } = await withRequest('Deploy');
      await show(made, { location: { session: id } });
      const message = page.getByRole('textbox', { name: 'Message' });
      await message.fill('');
      await press('k');
      for (const closing of ['{Escape}', '{Control>}k{/Control}']) {
        await opens();
        await expect.element(field()).toHaveFocus();
        await press(closing);
        await expect.poll(() => document.querySelector('dialog')).toBeNull();
        expect(document.activeElement, closing).toBe(message.element());
      }
      await expect.element(message).toHaveValue('k');
    });
  });

  it('has the focus in its field, announces what it finds, and acts on Enter', async () => {
    const { made } = await withRequest('Deploy the shop');
    await made.owner.createSession({ title: 'Answer the mail' });
    const { visited } = await show(made);
    await opens();
    await expect.element(option(/Answer the mail/)).toBeVisible();
    expect(active()).toBeNull();
    await press('mail');
    await expect.poll(names).toEqual(['Answer the mail']);
    await expect.element(page.getByText('1 result', { exact: true })).toBeInTheDocument();
    expect(active()?.textContent).toContain('Answer the mail');
    expect(active()?.getAttribute('aria-selected')).toBe('true');
    await expect.element(field()).toHaveFocus();
    await press('{Enter}');
    await expect.poll(() => document.querySelector('dialog')).toBeNull();
    expect(visited).toEqual([expect.stringMatching(/^\/#session=/)]);
    await expect.element(page.getByRole('heading', { name: 'Answer the mail' })).toBeVisible();
  });

  it('moves by arrows, around the ends, and Enter without a choice does nothing', async () => {
    const { made } = await withRequest('Deploy the shop');
    const { visited } = await show(made);
    await opens();
    await expect.element(option(/Deploy the shop/).first()).toBeVisible();
    await press('{Enter}');
    expect(visited).toEqual([]);
    await press('{ArrowUp}');
    expect(active()).toBe(options().at(-1));
    await press('{ArrowDown}');
    expect(active()).toBe(options()[0]);
    await press('{ArrowDown}');
    expect(active()).toBe(options()[1]);
  });

  it('finds requests and sessions that the page has not listed', async () => {
    const { made } = await withRequest('Deploy the shop', 'npm publish');
    const inbox = vi.spyOn(made.person, 'inbox');
    const sessions = made.person.sessions.bind(made.person);
    vi.spyOn(made.person, 'sessions').mockImplementation(async (query) =>
      query?.q === undefined ? { sessions: [] } : sessions(query),
    );
    const { visited } = await show(made);
    await opens();
    await press('shop');
    await expect.element(page.getByRole('group', { name: 'Sessions' })).toBeVisible();
    await userEvent.clear(field());
    await press('publish');
    await expect.poll(names).toEqual(['Bash npm publish']);
    await expect.poll(() => inbox.mock.calls.at(-1)?.[0]).toEqual({ find: 'publish' });
    await press('{Enter}');
    expect(visited).toEqual([expect.stringContaining('/inbox#session=')]);
  });

  it('says what it cannot read, and still finds pages', async () => {
    const { made } = await withRequest('Deploy');
    vi.spyOn(made.person, 'inbox').mockRejectedValue(new Error('gone'));
    const { visited } = await show(made);
    await opens();
    await expect.element(page.getByText('Something went wrong here. Try again.')).toBeVisible();
    await press('appear');
    await press('{Enter}');
    expect(visited).toEqual(['/#settings=appearance']);
  });

  it('says that nothing has the words', async () => {
    const { made } = await withRequest('Deploy');
    await show(made);
    await opens();
    await press('zebra');
    await expect.element(page.getByText(/^Nothing has these words/)).toBeVisible();
    await expect.element(page.getByText('0 results')).toBeInTheDocument();
    await press('{Enter}');
    await expect.element(field()).toBeVisible();
  });

  it('counts what a group leaves out', async () => {
    const made = startInPageServer();
    for (let at = 0; at < 12; at += 1) await made.owner.createSession({ title: `Service ${at}` });
    await show(made);
    await opens();
    await expect.element(page.getByText('8 of 12')).toBeVisible();
    await press('service 11');
    await expect.poll(names).toEqual(['Service 11']);
  });
});

describe('[BOX-5] actions', () => {
  it('press the buttons of the request, with their guards', async () => {
    const { made, id } = await withRequest('Deploy', 'x\n'.repeat(400));
    await show(made, { location: { session: id } });
    await expect.element(button('Deny…')).toBeVisible();
    await opens();
    await expect.element(page.getByRole('group', { name: 'This request' })).toBeVisible();
    await press('approve');
    await expect.poll(() => active()?.textContent).toContain('Approve');
    await press('{Enter}');
    await expect.poll(() => document.querySelector('dialog')).toBeNull();
    // Not all of it was in view: the press leads to the missing part.
    expect((await made.person.interaction(id, 'c1~1')).status).toBe('open');
    await opens();
    await press('deny{Enter}');
    await expect.element(page.getByRole('textbox', { name: /^Reason/ })).toHaveFocus();
    await press('Not now{Enter}');
    await expect
      .poll(async () => (await made.person.interaction(id, 'c1~1')).outcome)
      .toBe('denied');
  });

  it('decide by no beginning of their name', async () => {
    const { made, id } = await withRequest('Refunds');
    const { visited } = await show(made, { location: { session: id } });
    await expect.element(button('Approve')).not.toHaveAttribute('aria-disabled');
    for (const [typed, found] of [
      ['app', ['Appearance']],
      ['approv', []],
    ] as const) {
      await opens();
      await press(typed);
      await expect.poll(names).toEqual(found);
      await press('{Enter}{Escape}');
      await expect.poll(() => document.querySelector('dialog')).toBeNull();
    }
    expect(visited).toEqual(['/#settings=appearance']);
    expect((await made.person.interaction(id, 'c1~1')).status).toBe('open');
  });

  it('decide by no name that an agent gave, before an arrow chooses it', async () => {
    const made = startInPageServer();
    const { id } = await made.owner.createSession({ title: 'Refunds' });
    const choices = ['Inbox', 'Zebra'].map((label, at) => ({
      id: `choice-${at}`,
      decision: 'approve',
      label,
    }));
    const call = { toolName: 'Bash', toolCallId: 'c1', input: { command: 'make deploy' } };
    await made.agent.open(id, { kind: 'approval', ...call, choices });
    const { visited } = await show(made, { location: { session: id } });
    await expect
      .element(page.getByRole('button', { name: /^Zebra/ }))
      .not.toHaveAttribute('aria-disabled');
    await opens();
    await press('zebra');
    await expect.poll(names).toEqual([expect.stringMatching(/^Zebra/)]);
    expect(active()).toBeNull();
    await press('{Enter}');
    await expect.element(field()).toHaveFocus();
    await userEvent.clear(field());
    await press('inbox');
    await expect.poll(names).toEqual([expect.stringMatching(/^Inbox ./), 'Inbox']);
    await press('{Enter}');
    await expect.poll(() => visited).toEqual(['/inbox']);
    expect((await made.person.interaction(id, 'c1~1')).status).toBe('open');
  });

  it('are offered only where they are on the screen', async () => {
    const { made } = await withRequest('Deploy');
    await show(made);
    await opens();
    await expect.element(option('Inbox')).toBeVisible();
    expect(page.getByRole('group', { name: 'This request' }).query()).toBeNull();
    expect(page.getByRole('group', { name: 'This session' }).query()).toBeNull();
  });

  it('pin the session and copy its link, and say what went wrong', async () => {
    const { made, id } = await withRequest('Deploy');
    await show(made, { location: { session: id } });
    await opens();
    const pin = vi.spyOn(made.person, 'pin').mockRejectedValueOnce(new Error('gone'));
    await press('pin for');
    await press('{Enter}');
    await expect.element(page.getByText('Something went wrong here. Try again.')).toBeVisible();
    await press('{Enter}');
    await expect.poll(() => document.querySelector('dialog')).toBeNull();
    expect(pin).toHaveBeenCalledTimes(2);
    await expect.element(page.getByRole('heading', { name: 'Pinned' })).toBeVisible();
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await opens();
    await press('copy link{Enter}');
    await expect.element(page.getByText('Link copied')).toBeVisible();
    expect(copied).toHaveBeenCalledWith(location.origin + addressOf({ session: id }));
    vi.restoreAllMocks();
  });

  inLongRun(() => {
    it('open the sheets of the session, change the colors, and sign out', async () => {
      const { made, id } = await withRequest('Deploy');
      const { onSignOut } = await show(made, { location: { session: id } });
      await opens();
      await press('session settings{Enter}');
      await expect.element(page.getByRole('dialog', { name: /settings/i })).toBeVisible();
      await press('{Escape}');
      await expect.poll(() => document.querySelector('dialog')).toBeNull();
      await opens();
      await press('dark{Enter}');
      expect(document.documentElement.dataset['theme']).toBe('dark');
      await opens();
      await press('as the system{Enter}');
      expect(document.documentElement.dataset['theme']).toBeUndefined();
      await opens();
      await press('sign out{Enter}');
      expect(onSignOut).toHaveBeenCalledTimes(1);
    });
  });

  it('do nothing by a key that is held down, nor during a composition', async () => {
    const { made } = await withRequest('Deploy');
    const { visited } = await show(made);
    await opens();
    await press('history');
    await expect.poll(names).toEqual(['History']);
    const input = field().element();
    for (const how of [{ repeat: true }, { isComposing: true }])
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...how }));
    expect(visited).toEqual([]);
    await press('{Enter}');
    expect(visited).toEqual(['/inbox#tab=history']);
  });
});

it('[BOX-5] offers a person of one session that session, and no administrator’s pages to others', async () => {
  const { made, id } = await withRequest('Deploy');
  const one = { ...personWith('read', 'answer', 'send'), session: id };
  await show(made, { person: one });
  await expect.element(button('Deny…')).toBeVisible();
  await opens();
  await expect.element(option('Dark Colors')).toBeVisible();
  for (const gone of ['Pages', 'Sessions', 'Waiting for you'])
    expect(page.getByRole('group', { name: gone }).query()).toBeNull();
  await press('{Escape}');
});

it.each([
  [1280, 800],
  [320, 640],
])('[BOX-5, UI-10] fits %d pixels, without violations', async (width, height) => {
  await page.viewport(width, height);
  const { made, id } = await withRequest('Deploy '.repeat(25), 'x'.repeat(300));
  await fetchLaterParts();
  const { element } = await show(made, { location: { session: id } });
  if (width < 800) {
    // On a phone it is in the menu, which closes.
    await page.getByRole('button', { name: 'Sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Search and commands' }).click();
    await expect.poll(() => document.querySelectorAll('dialog').length).toBe(1);
  } else await opens();
  await expect.element(field()).toHaveFocus();
  await press('d');
  await expect.poll(() => options().length).toBeGreaterThan(0);
  const dialog = document.querySelector('dialog');
  const edge = dialog?.getBoundingClientRect().right ?? 0;
  await expect.element(page.getByRole('group', { name: 'Waiting for you' })).toBeVisible();
  for (const one of options()) {
    expect(one.getBoundingClientRect().right).toBeLessThanOrEqual(edge);
    const about = one.querySelector('.palette-about')?.getBoundingClientRect();
    if (about === undefined) continue;
    expect(about.right).toBeLessThanOrEqual(edge);
    expect(about.width).toBeGreaterThan(20);
  }
  expect(dialog?.scrollWidth).toBeLessThanOrEqual(width);
  expect(await axeProblems(dialog ?? element)).toEqual([]);
  await userEvent.clear(field());
  expect(await axeProblems(dialog ?? element)).toEqual([]);
});
