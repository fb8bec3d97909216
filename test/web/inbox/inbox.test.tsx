/** The inbox. A bug here shows an empty inbox while an agent waits, or answers a request that no one meant. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { InboxSubscriber } from '../../../src/client/transport.ts';
import type { Notifier } from '../../../src/web/inbox/inbox.tsx';
import { addressOf } from '../../../src/web/model/location.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { type InPageServer, startInPageServer } from '../../support/web/in-page-server.ts';
import { ADA, button, rows, ask, show, press, seesShown, openWindow } from './shown-inbox.tsx';

const shownCard = () => document.querySelector<HTMLElement>('.inbox-shown .card');

beforeEach(openWindow);

describe('the list', () => {
  it('[UI-9, BOX-1] has everything open, oldest deadline first, and the first one whole beside it', async () => {
    const made = startInPageServer();
    await ask(made, 'Later', { timeoutSeconds: 900 });
    const soon = await ask(made, 'Soon', { timeoutSeconds: 60 });
    await ask(made, 'Any time', { timeoutSeconds: null, toolName: 'Write' });
    const { element } = show(made);
    await expect.element(page.getByText('3 waiting')).toBeVisible();
    const titles = rows().map((row) => row.querySelector('.inbox-where')?.textContent);
    expect(titles).toEqual(['Soon', 'Later', 'Any time']);
    expect(rows().map((row) => row.querySelector('.inbox-class')?.textContent)).toEqual([
      'Runs commands',
      'Runs commands',
      'Edits files',
    ]);
    await seesShown('Soon');
    await expect
      .element(page.getByRole('link', { name: 'Open in its session' }))
      .toHaveAttribute('href', addressOf({ session: soon.id, interaction: soon.interactionId }));
    await expect.poll(() => document.title).toBe('(3) Inbox · Holdpoint');
    await expect.poll(shownCard).not.toBeNull();
    expect(await axeProblems(element, { isPage: false })).toEqual([]);
  });

  it('[UI-9, INBOX-2] is live: new items appear, and ended items say so in place', async () => {
    const made = startInPageServer();
    const { element } = show(made);
    await expect.element(page.getByText('You’re all caught up')).toBeVisible();
    expect(document.title).toBe('Inbox · Holdpoint');
    expect(await axeProblems(element)).toEqual([]);
    const { id, interactionId } = await ask(made, 'Deploy');
    await expect.element(page.getByText('New: Bash in Deploy')).toBeInTheDocument();
    await expect.poll(shownCard).not.toBeNull();
    await made.host
      .transport({ subject: 'bob', scopes: ['admin'] })
      .answer(id, interactionId, { decision: 'deny', reason: 'No' });
    await expect.element(page.getByText('by bob', { exact: true })).toBeVisible();
    await expect.element(page.getByText('Nothing waiting')).toBeVisible();
    expect(rows()).toHaveLength(1);
    expect(await axeProblems(element)).toEqual([]);
    await button('Clear 1 done').click();
    await expect.element(page.getByText('You’re all caught up')).toBeVisible();
  });

  it('[BOX-1, HAND-1, HAND-2] follows who looks at the shown request, and whom it is for', async () => {
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'Deploy');
    show(made);
    await expect.poll(shownCard).not.toBeNull();
    const bob = made.host.transport({ subject: 'bob', scopes: ['read', 'answer'], via: 'web' });
    await bob.claim(id, interactionId);
    await expect.element(page.getByText('bob is looking at this')).toBeVisible();
    await bob.handOver(id, interactionId, { audience: { subjects: ['olga'] } });
    await expect.element(page.getByText('Handed over by bob')).toBeVisible();
    await expect.poll(() => shownCard()?.textContent).toContain('For olga');
  });

  it('[PRES-5] says who else looks at the request that rests beside it, and follows none that is passed', async () => {
    const made = startInPageServer();
    await ask(made, 'Passed', { timeoutSeconds: 60 });
    const { id, interactionId } = await ask(made, 'Deploy', { timeoutSeconds: 600 });
    const bob = made.host.transport({ subject: 'bob', scopes: ['read', 'answer'], via: 'web' });
    const seen: string[][] = [];
    const looking = bob.subscribe(id, {
      presence: ({ people }) =>
        void seen.push(people.map((one) => `${one.subject} ${one.interactionId ?? '–'}`)),
    });
    looking.look({ interactionId });
    const subscribe = vi.spyOn(made.person, 'subscribe');
    const { element } = show(made);
    await seesShown('Passed');
    await press('j');
    await seesShown('Deploy');
    await expect.poll(() => shownCard()?.textContent).toContain('bob is looking');
    expect(seen.at(-1)?.toSorted()).toEqual([`ada ${interactionId}`, `bob ${interactionId}`]);
    expect(subscribe.mock.calls.map(([session]) => session)).toEqual([id]);
    expect(await axeProblems(element, { isPage: false })).toEqual([]);
    looking.look(null);
    await expect.poll(() => shownCard()?.textContent).not.toContain('is looking');
    looking.look({});
    await expect.poll(() => seen.at(-1)?.toSorted()).toEqual([`ada ${interactionId}`, 'bob –']);
    await press('k');
    await seesShown('Passed');
    await expect.poll(() => seen.at(-1)).toEqual(['bob –']);
    looking.close();
  });

  it('[BOX-1] moves nothing under the pointer, nor the request that is shown', async () => {
    const made = startInPageServer();
    await ask(made, 'Later', { timeoutSeconds: 900 });
    show(made);
    await seesShown('Later');
    await userEvent.hover(document.querySelector('.inbox-list') as HTMLElement);
    await ask(made, 'Soon', { timeoutSeconds: 60 });
    await expect.element(page.getByText('1 new', { exact: true })).toBeVisible();
    expect(rows()).toHaveLength(1);
    await userEvent.hover(page.getByRole('heading', { name: 'Inbox' }));
    await expect.poll(() => rows().length).toBe(2);
    expect(rows()[0]?.textContent).toContain('Soon');
    await seesShown('Later');
  });

  it('[UI-9] shows its age without a connection, and is then read-only', async () => {
    const made = startInPageServer();
    await ask(made, 'Deploy');
    let heard: InboxSubscriber = {};
    const subscribe = made.person.subscribeInbox.bind(made.person);
    vi.spyOn(made.person, 'subscribeInbox').mockImplementation((subscriber) => {
      heard = subscriber;
      return subscribe(subscriber);
    });
    const { element } = show(made);
    await expect.poll(shownCard).not.toBeNull();
    heard.status?.({ type: 'paused', reason: 'offline' });
    await expect.element(page.getByText(/^Not live/)).toBeVisible();
    await expect.element(page.getByText(/You are offline/)).toBeVisible();
    await expect.element(page.getByText(/Not connected/)).toBeVisible();
    expect(page.getByRole('button', { name: 'Approve' }).query()).toBeNull();
    expect(await axeProblems(element)).toEqual([]);
  });

  it('[UI-9] notifies of new items, if enabled and the page is hidden', async () => {
    const made = startInPageServer();
    const shown: string[] = [];
    let permission: ReturnType<Notifier['permission']> = 'default';
    const notifier: Notifier = {
      permission: () => permission,
      ask: async () => void (permission = 'granted'),
      show: ({ title, body }) => void shown.push(`${title}: ${body}`),
    };
    await ask(made, 'Before');
    show(made, { notifier });
    await expect.element(page.getByText('1 waiting')).toBeVisible();
    expect(permission).toBe('default');
    await button('Notify me').click();
    await expect.element(button('Notifications are on')).toBeVisible();
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await ask(made, 'Deploy\u202E', { toolName: 'Bash' });
    await expect.element(page.getByText('2 waiting')).toBeVisible();
    expect(shown).toEqual([String.raw`An agent is waiting for you: Bash in Deploy\u202E`]);
    vi.restoreAllMocks();
  });

  it('[UI-9] reads further pages when asked, and marks the icon of the tab', async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const meta = Object.assign(document.createElement('meta'), { name: 'waiting-icon' });
    meta.content = '/waiting.svg';
    document.head.append(meta);
    const made = startInPageServer();
    showOnePage(made);
    await ask(made, 'One');
    await ask(made, 'Two');
    show(made);
    await expect.element(page.getByText('1 of 2 shown')).toBeVisible();
    await button('Show 1 more').click();
    await expect.poll(() => rows().length).toBe(2);
    expect(link?.href).toContain('/waiting.svg');
    meta.remove();
    vi.restoreAllMocks();
  });

  it('[UI-9] is not opened by a link to one session', async () => {
    const { element } = show(startInPageServer(), { person: { ...ADA, session: 'one' } });
    expect(element.textContent).toContain('This link does not open the inbox');
    expect(await axeProblems(element)).toEqual([]);
  });
});

/** The first page has one request, as if the others were beyond it. */
function showOnePage(made: InPageServer) {
  const inbox = made.person.subscribeInbox.bind(made.person);
  vi.spyOn(made.person, 'subscribeInbox').mockImplementation((subscriber) =>
    inbox({
      ...subscriber,
      inbox: () => void made.person.inbox({ limit: 1 }).then((one) => subscriber.inbox?.(one)),
    }),
  );
}

describe('the search', () => {
  it('[BOX-2] is kept in the address, and says how much it shows', async () => {
    const made = startInPageServer();
    await ask(made, 'Release', { input: { command: 'npm publish' } });
    await ask(made, 'Other', { toolName: 'Write' });
    const { element, visited } = show(made);
    await expect.poll(() => rows().length).toBe(2);
    await press('/');
    await press('publish');
    await expect.element(page.getByText('1 of 2 shown')).toBeVisible();
    expect(visited.at(-1)).toBe('replace /inbox#find=publish');
    await page.getByRole('searchbox').fill('');
    await button('Filter').click();
    await page.getByRole('combobox', { name: 'Risk' }).selectOptions('Edits files');
    await expect.poll(() => rows().length).toBe(1);
    expect(visited.at(-1)).toBe('replace /inbox#risk=edit');
    expect(await axeProblems(element)).toEqual([]);
  });

  it('[BOX-2] finds what is beyond the loaded pages, and a link shows the same', async () => {
    const made = startInPageServer();
    showOnePage(made);
    for (const title of ['One', 'Two', 'Three']) await ask(made, title);
    show(made, { location: { page: 'inbox', find: 'three' } });
    await expect.poll(() => rows().map((row) => row.textContent)).toHaveLength(1);
    expect(rows()[0]?.textContent).toContain('Three');
    await expect.element(page.getByText('1 of 3 shown')).toBeVisible();
    vi.restoreAllMocks();
  });

  it('[BOX-2] leaves no request beside the list, nor selected, that the list does not have', async () => {
    const made = startInPageServer();
    const drop = await ask(made, 'Drop', { input: { command: 'drop database prod' } });
    const zebra = await ask(made, 'Zebra', { input: { command: 'zebra-only-here' } });
    const { arm, visited } = show(made, {
      location: { page: 'inbox', session: drop.id, interaction: drop.interactionId },
    });
    await seesShown('Drop');
    await press('x');
    await expect.element(page.getByText('1 selected')).toBeVisible();
    await press('/zebra');
    await seesShown('Zebra');
    expect(document.querySelector('.batch-bar')).toBeNull();
    expect(rows().map((row) => row.querySelector('[aria-current]') !== null)).toEqual([true]);
    await arm();
    await press('{Tab}a');
    const outcomeOf = async ({ id, interactionId }: typeof drop) =>
      (await made.person.interaction(id, interactionId)).outcome;
    await expect.poll(() => outcomeOf(zebra)).toBe('approved');
    expect(await outcomeOf(drop)).toBeNull();
    await page.getByRole('searchbox').fill('nothing has this');
    await expect.poll(shownCard).toBeNull();
    expect(visited.at(-1)).toBe('replace /inbox#find=nothing+has+this');
  });

  it('[BOX-2] goes on for what is typed now, when the reply to what was typed before comes late', async () => {
    const made = startInPageServer();
    showOnePage(made);
    for (const title of ['One', 'Two']) await ask(made, title);
    const inbox = made.person.inbox.bind(made.person);
    const found = { interactions: [], total: 2, now: 1 };
    const late = Promise.withResolvers<typeof found>();
    const asked: string[] = [];
    vi.spyOn(made.person, 'inbox').mockImplementation((wanted) => {
      if (wanted?.find === undefined) return inbox(wanted);
      asked.push(wanted.find);
      return wanted.find === 'before' ? late.promise : Promise.resolve({ ...found, next: 'more' });
    });
    show(made, { location: { page: 'inbox', find: 'before' } });
    await expect.poll(() => asked).toEqual(['before']);
    await page.getByRole('searchbox').fill('now');
    await expect.element(button('Look further')).toBeVisible();
    late.resolve(found);
    await late.promise;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await expect.element(button('Look further')).toBeVisible();
    vi.restoreAllMocks();
  });
});

describe('on a phone', () => {
  it('[BOX-1] the list comes first, then the request as a page with Back', async () => {
    await page.viewport(390, 844);
    const made = startInPageServer();
    await ask(made, 'Plan', {
      kind: 'plan_review',
      toolName: 'ExitPlanMode',
      input: undefined,
      plan: '# Paint the door',
    });
    const { element, visited } = show(made);
    await expect.poll(() => rows().length).toBe(1);
    expect(shownCard()).toBeNull();
    await page.getByText('Paint the door').click();
    await expect.element(page.getByRole('radio', { name: /Request changes/ })).toBeVisible();
    expect(document.querySelector<HTMLElement>('.inbox-pane')?.offsetWidth).toBe(0);
    expect(await axeProblems(element)).toEqual([]);
    await button('Back to the list').click();
    await expect.element(page.getByText('1 waiting')).toBeVisible();
    expect(visited.at(-1)).toBe('push /inbox');
    await expect.poll(() => document.activeElement?.className).toContain('inbox-line');
  });
});
