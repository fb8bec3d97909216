/** What was decided, as a list. A bug here shows the decisions of others, leaves some out, or hides what can be taken back. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { InboxSubscriber } from '../../../src/client/transport.ts';
import type { DecisionEntry } from '../../../src/protocol/types.ts';
import { Inbox } from '../../../src/web/inbox/inbox.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { handClock } from '../../support/web/hand-clock.ts';
import { startInPageServer } from '../../support/web/in-page-server.ts';
import { memoryStore } from '../../support/web/memory-store.ts';
import { mount } from '../../support/web/mount.ts';
import { personWith } from '../../support/web/person.ts';
import { ask, button, openWindow, press, rows, seesShown, show } from './shown-inbox.tsx';

const shownCard = () => document.querySelector<HTMLElement>('.inbox-shown .card');

beforeEach(openWindow);

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

  it('[BOX-4] says of a vote how far it was, and of a handover to whom, and marks no outcome', async () => {
    const made = startInPageServer();
    const two = await ask(made, 'Two', { quorum: { approvals: 2 } });
    await made.person.answer(two.id, two.interactionId, { decision: 'approve' });
    const other = await ask(made, 'Other');
    await made.person.handOver(other.id, other.interactionId, { audience: { subjects: ['mia'] } });
    await expect.poll(async () => (await made.person.decisions()).decisions.length).toBe(2);
    const { element } = show(made, { location: { page: 'inbox', tab: 'history' } });
    await expect.element(page.getByText('Approved (1 of 2)')).toBeVisible();
    await expect.element(page.getByText('Handed over to mia')).toBeVisible();
    expect(document.querySelector('.inbox-mark.outcome')).toBeNull();
    expect(await axeProblems(element)).toEqual([]);
  });

  it('[BOX-1, BOX-4] is read by keys: next, previous, and into the request', async () => {
    const made = startInPageServer();
    for (const [title, seconds] of [
      ['One', 60],
      ['Two', 120],
    ] as const) {
      const { id, interactionId } = await ask(made, title, { timeoutSeconds: seconds });
      await made.person.answer(id, interactionId, { decision: 'deny' });
    }
    await expect.poll(async () => (await made.person.decisions()).decisions.length).toBe(2);
    show(made, { location: { page: 'inbox', tab: 'history' } });
    await expect.poll(() => rows().length).toBe(2);
    const list = page.getByRole('list', { name: 'Decisions' });
    await expect.element(list).toHaveAttribute('aria-keyshortcuts', 'j ArrowDown k ArrowUp');
    await press('j');
    await seesShown('Two');
    await expect.poll(() => document.activeElement?.textContent).toContain('Two');
    await press('j');
    await seesShown('One');
    await press('{ArrowUp}');
    await seesShown('Two');
    await expect.poll(() => document.activeElement?.textContent).toContain('Two');
    await expect.poll(shownCard).not.toBeNull();
    await press('{Enter}');
    await expect.poll(() => document.activeElement?.className).toContain('card');
    await press('u');
    await expect.poll(() => document.activeElement?.textContent).toContain('Two');
  });

  it('[BOX-4] on a phone a key moves in the list, and Enter opens the request', async () => {
    await page.viewport(390, 800);
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'One');
    await made.person.answer(id, interactionId, { decision: 'deny' });
    await expect.poll(async () => (await made.person.decisions()).decisions.length).toBe(1);
    show(made, { location: { page: 'inbox', tab: 'history' } });
    await expect.poll(() => rows().length).toBe(1);
    await press('j');
    await expect.poll(() => document.activeElement?.textContent).toContain('One');
    expect(document.querySelector('.inbox-shown')).toBeNull();
    await press('{Enter}');
    await seesShown('One');
    await press('u');
    await expect.poll(() => document.querySelector('.inbox-shown')).toBeNull();
  });

  it('[BOX-4] shows everyone’s, when the page of the own ones comes after it', async () => {
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'Deploy');
    const bob = made.host.transport({ subject: 'bob', scopes: ['answer'] });
    await bob.answer(id, interactionId, { decision: 'deny', reason: 'Not today' });
    const admin = made.host.transport({ subject: 'ada', scopes: ['admin'] });
    const decisions = admin.decisions.bind(admin);
    const late = Promise.withResolvers<void>();
    vi.spyOn(admin, 'decisions').mockImplementation(async (wanted) => {
      if (wanted?.of === 'me') await late.promise;
      return decisions(wanted);
    });
    const props = { transport: admin, clock: handClock(), store: memoryStore() };
    const person = personWith('read', 'answer', 'admin');
    const history = (more: { for?: 'everyone' }) => (
      <Inbox
        {...{ ...props, person }}
        location={{ page: 'inbox', tab: 'history', ...more }}
        onGo={() => undefined}
      />
    );
    const { show: draw } = mount(history({}));
    await expect.poll(() => vi.mocked(admin.decisions).mock.calls).toHaveLength(1);
    draw(history({ for: 'everyone' }));
    await expect.element(page.getByText('Denied: Not today')).toBeVisible();
    late.resolve();
    await late.promise;
    await expect
      .poll(() => vi.mocked(admin.decisions).mock.settledResults[0]?.type)
      .toBe('fulfilled');
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await expect.element(page.getByText('Denied: Not today')).toBeVisible();
    vi.restoreAllMocks();
  });

  it('[BOX-4] reads what was decided while the connection was lost, and leaves no gap', async () => {
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'Deploy');
    await made.person.answer(id, interactionId, { decision: 'deny', reason: 'One' });
    await expect.poll(async () => (await made.person.decisions()).decisions.length).toBe(1);
    const subscribe = made.person.subscribeInbox.bind(made.person);
    let connected: InboxSubscriber['inbox'];
    vi.spyOn(made.person, 'subscribeInbox').mockImplementation((subscriber) => {
      connected = subscriber.inbox;
      return subscribe({ inbox: (first) => subscriber.inbox?.(first) });
    });
    show(made, { location: { page: 'inbox', tab: 'history' } });
    await expect.poll(() => rows().length).toBe(1);
    const [entry] = (await made.person.decisions()).decisions;
    const other = { ...(entry as DecisionEntry), seq: 4_000, reason: 'Two' };
    vi.spyOn(made.person, 'decisions').mockResolvedValue({ decisions: [other], next: 'older' });
    connected?.(await made.person.inbox());
    await expect.element(page.getByText('Denied: Two')).toBeVisible();
    expect(rows()).toHaveLength(1);
    await expect.element(button('Show older')).toBeVisible();
    vi.restoreAllMocks();
  });

  it('[BOX-4] shows what was decided just before it was opened, when its first page is older', async () => {
    const made = startInPageServer();
    const { id, interactionId } = await ask(made, 'Deploy');
    await made.person.answer(id, interactionId, { decision: 'deny', reason: 'Not yet' });
    await expect.poll(async () => (await made.person.decisions()).decisions.length).toBe(1);
    const subscribe = made.person.subscribeInbox.bind(made.person);
    vi.spyOn(made.person, 'subscribeInbox').mockImplementation((subscriber) =>
      subscribe({ inbox: (first) => subscriber.inbox?.(first) }),
    );
    vi.spyOn(made.person, 'decisions').mockResolvedValueOnce({ decisions: [] });
    show(made, { location: { page: 'inbox', tab: 'history' } });
    await expect.element(page.getByText('Denied: Not yet')).toBeVisible();
    vi.restoreAllMocks();
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
