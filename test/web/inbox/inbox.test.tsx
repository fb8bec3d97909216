/** The inbox. A bug here shows an empty inbox while an agent waits, or answers a request that no one meant. */
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { InboxSubscriber } from '../../../src/client/transport.ts';
import { Inbox, type InboxProps } from '../../../src/web/inbox/inbox.tsx';
import type { Notifier } from '../../../src/web/inbox/use-notifications.tsx';
import { addressOf } from '../../../src/web/model/location.ts';
import { armed } from '../../support/web/armed.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { memoryStore } from '../../support/web/memory-store.ts';
import { mount } from '../../support/web/mount.ts';
import { personWith } from '../../support/web/person.ts';
import { type InPageServer, startInPageServer } from '../../support/web/in-page-server.ts';

const ADA = personWith('read', 'answer');
const button = (name: string) => page.getByRole('button', { name, exact: true });

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

function show(made: InPageServer, more: Partial<InboxProps> = {}) {
  const clock = handClock();
  const props = { transport: made.person, clock, person: ADA, store: memoryStore() };
  const { element } = mount(<Inbox {...props} {...more} />);
  return { element, clock, arm: () => armed(element, clock) };
}

describe('the inbox', () => {
  it('[UI-9] lists everything open, oldest deadline first, each with a link to its position', async () => {
    const made = startInPageServer();
    await ask(made, 'Later', { timeoutSeconds: 900 });
    const { id, interactionId } = await ask(made, 'Soon', { timeoutSeconds: 60 });
    await ask(made, 'Any time', { timeoutSeconds: null });
    const { element } = show(made);
    await expect.element(page.getByText('3 waiting')).toBeVisible();
    const titles = [...element.querySelectorAll('.inbox-where a')].map((link) => link.textContent);
    expect(titles).toEqual(['Soon', 'Later', 'Any time']);
    await expect
      .element(page.getByRole('link', { name: 'Soon' }))
      .toHaveAttribute('href', addressOf({ session: id, interaction: interactionId }));
    await expect.poll(() => document.title).toBe('(3) Inbox · Holdpoint');
    expect(await axeProblems(element, { isPage: false })).toEqual([]);
  });

  it('[UI-9, INBOX-2] is live: new items appear, and ended items say so in place', async () => {
    const made = startInPageServer();
    const { element } = show(made);
    await expect.element(page.getByText('You’re all caught up')).toBeVisible();
    expect(document.title).toBe('Inbox · Holdpoint');
    expect(await axeProblems(element)).toEqual([]);
    const { id, interactionId } = await ask(made, 'Deploy');
    await expect.element(page.getByRole('heading', { name: /^Bash/ })).toBeVisible();
    await made.host
      .transport({ subject: 'bob', scopes: ['admin'] })
      .answer(id, interactionId, { decision: 'deny', reason: 'No' });
    await expect.element(page.getByText('by bob', { exact: true })).toBeVisible();
    await expect.element(page.getByText('Nothing waiting')).toBeVisible();
    expect(await axeProblems(element)).toEqual([]);
    await button('Clear 1 done').click();
    await expect.element(page.getByText('You’re all caught up')).toBeVisible();
  });

  it('[UI-9] is answered in place: approve, deny with a reason, a question', async () => {
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
    await expect.element(page.getByText('3 waiting')).toBeVisible();
    await arm();
    await button('Approve').first().click();
    await expect.element(page.getByText('Approved', { exact: true })).toBeVisible();
    await button('Deny…').click();
    await userEvent.keyboard('Not now{Enter}');
    await expect.element(page.getByText('Not now')).toBeVisible();
    await page.getByRole('radio', { name: 'Blue' }).click();
    await button('Submit').click();
    await expect.element(page.getByText('Selected: Blue')).toBeVisible();
    const outcomes = await Promise.all(
      [one, two, three].map(({ id, interactionId }) => made.person.interaction(id, interactionId)),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['approved', 'denied', 'answered']);
    expect(document.querySelectorAll('.inbox-row')).toHaveLength(3);
  });

  it('[UI-6, UI-9] blocks Approve again after a card moved', async () => {
    const made = startInPageServer();
    await ask(made, 'Later', { timeoutSeconds: 900 });
    const { arm } = show(made);
    await expect.element(page.getByText('1 waiting')).toBeVisible();
    await arm();
    await expect.element(button('Approve')).toBeEnabled();
    await ask(made, 'Soon', { timeoutSeconds: 60 });
    await expect.element(page.getByText('2 waiting')).toBeVisible();
    await expect.element(button('Approve').nth(1)).toBeDisabled();
  });

  it('[UI-9, APR-4] decides several of one tool in one session at once', async () => {
    const made = startInPageServer();
    const { id, more } = await ask(made, 'Deploy');
    await more();
    await more({ toolName: 'Write' });
    await ask(made, 'Other');
    const { element, arm } = show(made);
    await expect.element(page.getByText('4 waiting')).toBeVisible();
    const boxes = page.getByRole('checkbox', { name: /^Select/ });
    expect(boxes.elements()).toHaveLength(2);
    await boxes.nth(0).click();
    await boxes.nth(1).click();
    await expect.element(button('Approve 2')).toBeDisabled();
    await arm();
    expect(await axeProblems(element)).toEqual([]);
    await button('Approve 2').click();
    await expect.element(page.getByText('2 waiting')).toBeVisible();
    const { open } = await made.person.snapshot(id);
    expect(open.map(({ toolName }) => toolName)).toEqual(['Write']);
  });

  it('[UI-9] never approves folded items in a batch', async () => {
    const made = startInPageServer();
    const { more } = await ask(made, 'Deploy');
    await more({ input: { command: 'x'.repeat(5_000) } });
    const { arm } = show(made);
    const boxes = page.getByRole('checkbox', { name: /^Select/ });
    await boxes.nth(0).click();
    await boxes.nth(1).click();
    await arm();
    await expect.element(page.getByText('Long inputs are approved one by one.')).toBeVisible();
    await expect.element(button('Approve 2')).toBeDisabled();
    await expect.element(button('Deny 2')).toBeEnabled();
  });

  it('[UI-2, UI-9] never approves unseen items in a batch', async () => {
    await page.viewport(390, 320);
    const made = startInPageServer();
    const { more } = await ask(made, 'Deploy');
    await more();
    const { arm } = show(made);
    const boxes = page.getByRole('checkbox', { name: /^Select/ });
    await expect.poll(() => boxes.elements().length).toBe(2);
    // Without scrolling there, like a script or the space bar.
    for (const box of boxes.elements()) (box as HTMLElement).click();
    await arm();
    await expect.element(page.getByText('Scroll to all of them to approve.')).toBeVisible();
    await expect.element(button('Approve 2')).toBeDisabled();
    await expect.element(button('Deny 2')).toBeEnabled();
    for (const one of document.querySelectorAll('.inbox-list .input-view')) {
      one.scrollIntoView({ block: 'end' });
      await arm();
    }
    await expect.element(button('Approve 2')).toBeEnabled();
    await page.viewport(414, 896);
  });

  it('[UI-9] links plans, forms and long requests to their session', async () => {
    const made = startInPageServer();
    await ask(made, 'Plan', {
      kind: 'plan_review',
      toolName: 'ExitPlanMode',
      input: undefined,
    });
    await ask(made, 'Long', { input: { command: 'y'.repeat(9_000) } });
    const { element } = show(made);
    await expect.element(page.getByText('2 waiting')).toBeVisible();
    expect(page.getByRole('link', { name: 'Open' }).elements()).toHaveLength(2);
    await expect.element(page.getByText('Too long to show here.')).toBeVisible();
    expect(await axeProblems(element)).toEqual([]);
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
    await expect.element(page.getByText(/Live · updated/)).toBeVisible();
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
    const inbox = made.person.subscribeInbox.bind(made.person);
    vi.spyOn(made.person, 'subscribeInbox').mockImplementation((subscriber) =>
      inbox({
        ...subscriber,
        inbox: () => void made.person.inbox({ limit: 1 }).then((one) => subscriber.inbox?.(one)),
      }),
    );
    await ask(made, 'One');
    await ask(made, 'Two');
    show(made);
    await button('Show 1 more').click();
    await expect.element(page.getByRole('link', { name: 'Two' })).toBeVisible();
    expect(link?.href).toContain('/waiting.svg');
    meta.remove();
    vi.restoreAllMocks();
  });

  it('[UI-12] without the scope it can be read and not answered', async () => {
    const made = startInPageServer(['read']);
    const { more } = await ask(made, 'Deploy');
    await more();
    show(made, { person: { ...ADA, scopes: ['read'] } });
    await expect.element(page.getByText(/View only/).first()).toBeVisible();
    expect(page.getByRole('checkbox').query()).toBeNull();
  });

  it('[UI-9] is not opened by a link to one session', async () => {
    const { element } = show(startInPageServer(), { person: { ...ADA, session: 'one' } });
    expect(element.textContent).toContain('This link does not open the inbox');
    expect(await axeProblems(element)).toEqual([]);
  });
});
