/** Behavior of every card: countdown, animation, and an unknown kind. */
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard } from './ask-card.tsx';

const MINUTE = 60_000;
const APPROVAL = { kind: 'approval', input: { command: 'ls' } };

describe('every card', () => {
  it('[UI-5] counts by the server, amber at two minutes and red at one, said once each', async () => {
    const card = await askCard({ ...APPROVAL, timeoutSeconds: 600 });
    const end = card.opened.expiresAt ?? 0;
    const look = async (left: number) => {
      await new Promise((done) => setTimeout(done, 30));
      card.clock.advance(end - left - card.clock.now());
      await new Promise((done) => setTimeout(done, 30));
      const mark = card.element.querySelector('.countdown');
      const said = mark?.querySelector('[role=status]')?.textContent;
      return [mark?.className, mark?.firstElementChild?.textContent, said];
    };
    expect(await look(5 * MINUTE)).toEqual(['countdown calm', '5:00 left', '']);
    expect(await look(2 * MINUTE)).toEqual([
      'countdown amber',
      '2:00 left',
      'Two minutes left to answer',
    ]);
    expect((await look(MINUTE + 500))[2]).toBe('Two minutes left to answer');
    expect(await look(59_000)).toEqual(['countdown red', '0:59 left', 'One minute left to answer']);
    expect(await axeProblems(card.element)).toEqual([]);
    expect((await look(0))[1]).toBe('Expired');
  });

  it('[UI-5, TIME-5] can be given more time, once', async () => {
    const card = await askCard({ ...APPROVAL, timeoutSeconds: 100 });
    await page.getByRole('button', { name: 'More time' }).click();
    await expect.element(page.getByText('3:20 left')).toBeVisible();
    expect((await card.now()).extendedBy).toBe('ada');
    expect(page.getByRole('button', { name: 'More time' }).query()).toBeNull();
  });

  it('[UI-5, TIME-6] waits on past its deadline where the agent said so', async () => {
    const card = await askCard(APPROVAL);
    await card.show({ ...card.opened, expiresAt: null, overdue: true });
    await expect.element(page.getByText('Overdue, still open')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Deny…' })).toBeEnabled();
  });

  it('[UI-1] animates shrinking, unless the person prefers reduced motion', async () => {
    const card = await askCard(APPROVAL);
    await card.server.owner.approveTool(card.sessionId, 'call-1');
    await card.show();
    await new Promise((done) => setTimeout(done, 30));
    const moves = document.getAnimations().filter((one) => !(one instanceof CSSTransition));
    expect(moves.map(({ effect }) => effect?.getTiming().duration)).toEqual([220]);
  });

  it('[UI-8] cannot be answered while the connection is lost, and says why', async () => {
    const card = await askCard(APPROVAL, { isAnswerable: false });
    await expect.element(page.getByText(/Not connected/)).toBeVisible();
    expect(page.getByRole('button', { name: 'Approve' }).query()).toBeNull();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-8] says “by you” of the viewer’s decision, also after a reload and on another page', async () => {
    const card = await askCard(APPROVAL);
    await card.server.person.denyTool(card.sessionId, 'call-1', 'No');
    await card.show();
    await expect.element(page.getByText('by you')).toBeVisible();
    const live = card.element.querySelector('.card-head')?.outerHTML;
    expect(card.element.querySelector('.card')?.classList).toContain('red');
    await card.reload();
    expect(card.element.querySelector('.card-head')?.outerHTML).toBe(live);
    expect(card.element.querySelector('.card')?.classList).toContain('red');
  });

  it('[UI-8] names another person, and a surface only if known, live and after a reload', async () => {
    const card = await askCard(APPROVAL);
    const mia = card.server.host.transport({
      subject: 'mia',
      scopes: ['answer', 'read'],
      via: 'web',
    });
    await mia.approveTool(card.sessionId, 'call-1');
    await card.show();
    await expect.element(page.getByText('by mia', { exact: true })).toBeVisible();
    expect(card.element.querySelector('.card')?.classList).toContain('grey');
    await card.reload();
    await expect.element(page.getByText('by mia', { exact: true })).toBeVisible();
    expect(card.element.querySelector('.card')?.classList).toContain('grey');
  });

  it('[UI-5, UI-8, TIME-2] says why it expired, and how long there was to answer', async () => {
    const card = await askCard({ ...APPROVAL, timeoutSeconds: 600 });
    const { openedAt } = card.opened;
    const expired = {
      ...card.opened,
      status: 'settled',
      outcome: 'expired',
      settledAt: openedAt + 600_000,
      settledBy: { subject: 'system', via: 'timeout' },
    } as const;
    await card.show(expired);
    const line = () => card.element.querySelector('.settled-line strong')?.textContent;
    expect(line()).toBe('Expired: denied automatically after 10 minutes');
    const spoken = card.element.querySelector('.card > [role=status]')?.textContent;
    expect(spoken).toBe('This expired just now');
    // With one extension.
    await card.show({ ...expired, expiresAt: openedAt + 1_200_000 });
    expect(line()).toBe('Expired: denied automatically after 20 minutes');
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-5] has no countdown where there is no deadline', async () => {
    const card = await askCard({ ...APPROVAL, timeoutSeconds: null });
    await expect.element(page.getByRole('button', { name: 'Deny…' })).toBeVisible();
    expect(card.element.querySelector('.countdown')).toBeNull();
    expect(card.element.textContent).not.toContain('left');
  });

  it('[INT-16] says when the agent is offline', async () => {
    const card = await askCard(APPROVAL);
    await card.show({ ...card.opened, agentWaiting: false });
    await expect.element(page.getByText(/The agent is offline/)).toBeVisible();
  });

  it('[INT-3] shows a request of an unknown kind, and cancels it', async () => {
    const card = await askCard(APPROVAL);
    const request = { puzzle: '<b>2 + 2</b> \u202E', hints: [1, 2] };
    await card.show({ ...card.opened, kind: 'puzzle', request });
    await expect.element(page.getByText(/This page can’t answer/)).toBeVisible();
    expect(card.element.querySelector('b')).toBeNull();
    expect(await axeProblems(card.element)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel the request' }).click();
    await expect.element(page.getByText('Cancelled')).toBeVisible();
    expect((await card.now()).outcome).toBe('cancelled');
  });

  it('[UI-10] draws a request that does not fit its kind', async () => {
    const card = await askCard(APPROVAL);
    for (const kind of ['approval', 'question', 'plan_review', 'form']) {
      for (const request of [{}, { input: 7, questions: [null], schema: [], plan: 3 }]) {
        await card.show({ ...card.opened, interactionId: `x-${kind}~1`, kind, request });
        expect(card.element.querySelector('.card h2')?.textContent).not.toBe('');
      }
    }
  });
});
