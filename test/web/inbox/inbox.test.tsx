/** The inbox. A bug here shows an empty inbox while an agent waits, or answers a request that no one meant. */
import { useState } from 'preact/hooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { InboxSubscriber } from '../../../src/client/transport.ts';
import { Inbox, type InboxProps } from '../../../src/web/inbox/inbox.tsx';
import type { Notifier } from '../../../src/web/inbox/use-notifications.tsx';
import { addressOf, type Location } from '../../../src/web/model/location.ts';
import { armed } from '../../support/web/armed.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { memoryStore } from '../../support/web/memory-store.ts';
import { mount } from '../../support/web/mount.ts';
import { personWith } from '../../support/web/person.ts';
import { type InPageServer, startInPageServer } from '../../support/web/in-page-server.ts';

const ADA = personWith('read', 'answer');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const rows = () => [...document.querySelectorAll<HTMLElement>('.inbox-row')];
const shownCard = () => document.querySelector<HTMLElement>('.inbox-shown .card');

let calls = 0;
async function ask(made: InPageServer, title: string, request: Record<string, unknown> = {}) {
  const { id } = await made.owner.createSession({ title });
  const more = async (another: Record<string, unknown> = request) => {
    calls += 1;
    const body = { kind: 'approval', toolName: 'Bash', input: { command: `ls ${calls}` } };
    const toolCallId = `call-${calls}`;
    await made.agent.open(id, { ...body, toolCallId, ...another });
    return `${toolCallId}~1`;
  };
  return { id, interactionId: await more(), more };
}

type Shown = Partial<Omit<InboxProps, 'onGo'>>;

function show(made: InPageServer, more: Shown = {}) {
  const clock = handClock();
  const visited: string[] = [];
  const props = { transport: made.person, clock, person: ADA, store: memoryStore() };
  function Place({ location: start = { page: 'inbox' }, ...rest }: Shown) {
    const [location, setLocation] = useState<Location>(start);
    const go = (next: Location, how = 'push') => {
      visited.push(`${how} ${addressOf(next)}`);
      setLocation(next);
    };
    return <Inbox {...props} {...rest} location={location} onGo={go} />;
  }
  const { element } = mount(<Place {...more} />);
  return { element, clock, visited, arm: () => armed(element, clock) };
}

const press = (key: string) => userEvent.keyboard(key);

/** The request of this session is beside the list. */
async function seesShown(title: string): Promise<void> {
  await expect.poll(() => document.querySelector('.inbox-session')?.textContent).toContain(title);
}

beforeEach(() => page.viewport(1280, 800));

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

describe('keys', () => {
  it('[BOX-1] decide all there is: approve, deny with a reason, a question', async () => {
    const made = startInPageServer();
    const one = await ask(made, 'One', { timeoutSeconds: 60 });
    const two = await ask(made, 'Two', { timeoutSeconds: 120 });
    const options = [{ label: 'Red' }, { label: 'Blue' }];
    const three = await ask(made, 'Three', {
      kind: 'question',
      toolName: 'AskUserQuestion',
      input: undefined,
      questions: [{ header: 'Color', question: 'Which?', options }],
    });
    const { arm } = show(made);
    await seesShown('One');
    await arm();
    await press('a');
    await expect.element(page.getByText('by you', { exact: true })).toBeVisible();
    await press('j');
    await seesShown('Two');
    await expect.element(button('Deny…')).toBeVisible();
    await press('d');
    // Letters in the field are letters.
    await press('jx Not now{Enter}');
    await expect.element(page.getByText('jx Not now')).toBeVisible();
    await press('j');
    await seesShown('Three');
    await expect.element(page.getByRole('radio', { name: 'Blue' })).toBeVisible();
    await press('{Enter}2{Enter}');
    await expect.element(page.getByText('Selected: Blue')).toBeVisible();
    const outcomes = await Promise.all(
      [one, two, three].map(({ id, interactionId }) => made.person.interaction(id, interactionId)),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['approved', 'denied', 'answered']);
    expect(rows()).toHaveLength(3);
  });

  it('[BOX-1, UI-6] approve nothing that has just moved, or that was not shown whole', async () => {
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'Long', {
      timeoutSeconds: 60,
      input: { command: 'x\n'.repeat(400) },
    });
    const other = await ask(made, 'Other', { timeoutSeconds: 120 });
    const { arm } = show(made);
    await seesShown('Long');
    await expect.element(button('Approve')).toBeVisible();
    await arm();
    await press('a');
    await press('j');
    await seesShown('Other');
    // The buttons are there, and not awake yet.
    await expect.element(button('Approve')).toBeVisible();
    await press('a');
    for (const [session, interaction] of [
      [id, interactionId],
      [other.id, other.interactionId],
    ] as const)
      expect((await made.person.interaction(session, interaction)).status).toBe('open');
  });

  it('[BOX-1] do nothing with a modifier, during a composition and in a field', async () => {
    const made = startInPageServer();
    await ask(made, 'One', { timeoutSeconds: 60 });
    await ask(made, 'Two', { timeoutSeconds: 120 });
    const { visited } = show(made);
    await seesShown('One');
    await press('{Control>}j{/Control}{Meta>}j{/Meta}{Alt>}j{/Alt}');
    document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'j', isComposing: true, bubbles: true }),
    );
    await press('/');
    await expect.element(page.getByRole('searchbox')).toHaveFocus();
    await press('j');
    await expect.element(page.getByRole('searchbox')).toHaveValue('j');
    expect(visited.filter((one) => one.includes('interaction'))).toEqual([]);
    await expect.element(page.getByText('Nothing matches')).toBeVisible();
  });

  it('[BOX-1] never lose the focus: it stays in the list while it moves', async () => {
    const made = startInPageServer();
    await ask(made, 'One', { timeoutSeconds: 60 });
    await ask(made, 'Two', { timeoutSeconds: 120 });
    show(made);
    await seesShown('One');
    await press('j');
    await expect.poll(() => document.activeElement?.textContent).toContain('Two');
    await press('{ArrowUp}');
    await expect.poll(() => document.activeElement?.textContent).toContain('One');
    await press('{Enter}');
    await expect.poll(() => document.activeElement?.className).toContain('card');
    await press('u');
    await expect.poll(() => document.activeElement?.textContent).toContain('One');
  });
});

describe('several together', () => {
  const TESTS = { input: { command: 'npm test' } };

  it('[BOX-3] the same request in many sessions is approved in three presses, once it was shown', async () => {
    const made = startInPageServer();
    const asked = [];
    for (let at = 0; at < 5; at += 1) asked.push(await ask(made, `Service ${at}`, TESTS));
    await ask(made, 'Another', { input: { command: 'npm publish' } });
    const { element, arm } = show(made);
    await seesShown('Service');
    await expect.element(button('Select all 5')).toBeVisible();
    await arm();
    await press('s');
    await expect.element(page.getByText('5 selected')).toBeVisible();
    await expect.element(page.getByText('in 5 sessions')).toBeVisible();
    await arm();
    expect(await axeProblems(element)).toEqual([]);
    await press('a');
    await expect.element(page.getByText('1 waiting')).toBeVisible();
    expect(page.getByText('Approved', { exact: true }).elements().length).toBeGreaterThan(4);
    for (const { id, interactionId } of asked)
      expect((await made.person.interaction(id, interactionId)).outcome).toBe('approved');
    await expect.poll(() => document.activeElement?.className).toContain('inbox-line');
  });

  it('[BOX-3, UI-2] nothing is approved that was not shown whole, and everything may be denied', async () => {
    const made = startInPageServer();
    const one = await ask(made, 'One', { timeoutSeconds: 60 });
    // Folded: it is never whole before somebody unfolds it.
    const long = { command: 'x\n'.repeat(400) };
    const two = await ask(made, 'Two', { timeoutSeconds: 120, input: long });
    const { arm } = show(made);
    await seesShown('One');
    await press('x');
    await expect.element(page.getByText('1 selected')).toBeVisible();
    await press('j');
    await seesShown('Two');
    await press('x');
    await expect.element(page.getByText('2 selected')).toBeVisible();
    await expect.element(page.getByText(/Look at each of them in full/)).toBeVisible();
    await press('a');
    await arm();
    await press('d');
    await press('Not these{Enter}');
    await expect.element(page.getByText('Nothing waiting')).toBeVisible();
    for (const { id, interactionId } of [one, two])
      expect(await made.person.interaction(id, interactionId)).toMatchObject({
        outcome: 'denied',
        reason: 'Not these',
      });
  });

  it('[BOX-3] says of each what became of it', async () => {
    const made = startInPageServer();
    const asked = [];
    for (let at = 0; at < 3; at += 1) asked.push(await ask(made, `Service ${at}`, TESTS));
    const decide = made.person.decideInbox.bind(made.person);
    const [, second] = asked;
    vi.spyOn(made.person, 'decideInbox').mockImplementation(async (decisions) => {
      const bob = made.host.transport({ subject: 'bob', scopes: ['admin'] });
      await bob.answer(second?.id ?? '', second?.interactionId ?? '', { decision: 'deny' });
      return decide(decisions);
    });
    const { arm } = show(made);
    await expect.element(button('Select all 3')).toBeVisible();
    await arm();
    await press('s');
    await arm();
    await press('a');
    await expect.element(page.getByText(/^Not decided: /)).toBeVisible();
    const results = rows().map((row) => row.querySelector('.inbox-result')?.textContent);
    expect(results.filter((one) => one === 'Approved')).toHaveLength(2);
    vi.restoreAllMocks();
  });

  it('[UI-12] without the scope it can be read and not answered', async () => {
    const made = startInPageServer(['read']);
    await ask(made, 'One', TESTS);
    await ask(made, 'Two', TESTS);
    show(made, { person: { ...ADA, scopes: ['read'] } });
    await expect.element(page.getByText(/View only/).first()).toBeVisible();
    expect(page.getByRole('checkbox', { name: /^Select/ }).query()).toBeNull();
    await press('xs');
    expect(document.querySelector('.batch-bar')).toBeNull();
  });
});

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

describe('the history', () => {
  it('[BOX-4] lists what I decided, with outcome and reason, and takes back what no agent has', async () => {
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'Deploy');
    await made.person.answer(id, interactionId, { decision: 'deny', reason: 'Not today' });
    const { element, visited } = show(made, { location: { page: 'inbox', tab: 'history' } });
    await expect.element(page.getByText('Denied: Not today')).toBeVisible();
    await page.getByText('Denied: Not today').click();
    await expect.element(page.getByText('by you', { exact: true })).toBeVisible();
    expect(await axeProblems(element)).toEqual([]);
    await button('Take back').click();
    await expect.poll(() => visited.at(-1)).toContain('/inbox#session=');
    await expect.element(button('Deny…')).toBeVisible();
    expect((await made.person.snapshot(id)).open).toHaveLength(1);
  });

  it('[BOX-4] is empty for who has decided nothing', async () => {
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'Deploy');
    const bob = made.host.transport({ subject: 'bob', scopes: ['answer'] });
    await bob.answer(id, interactionId, { decision: 'approve' });
    const { element } = show(made, { location: { page: 'inbox', tab: 'history' } });
    await expect.element(page.getByText('Nothing decided yet')).toBeVisible();
    expect(element.textContent).not.toContain('Deploy');
    expect(await axeProblems(element)).toEqual([]);
  });
});
