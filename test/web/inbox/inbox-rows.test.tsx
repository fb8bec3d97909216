/** What a row of the inbox says, and the keys of its buttons. A bug here has two people decide the same. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { startInPageServer } from '../../support/web/in-page-server.ts';
import { ask, button, press, rows, seesShown, show, openWindow } from './shown-inbox.tsx';

beforeEach(openWindow);

describe('what a row says of the people', () => {
  it('[BOX-6] approvals, who looks, and whom it is for', async () => {
    const made = startInPageServer();
    const bob = made.host.transport({ subject: 'bob', scopes: ['read', 'answer'], via: 'web' });
    const quorum = { approvals: 2 };
    const two = await ask(made, 'Two', { timeoutSeconds: 60, quorum });
    const audience = { subjects: ['bob'] };
    const others = await ask(made, 'Others', { timeoutSeconds: 120, audience });
    await bob.answer(two.id, two.interactionId, { decision: 'approve' });
    await bob.claim(others.id, others.interactionId);
    const { element } = show(made);
    const row = (title: string) => rows().find((one) => one.textContent?.includes(title));
    await expect
      .poll(() => row('Two')?.querySelector('.inbox-votes')?.textContent)
      .toBe('1 of 2 approvals');
    await expect.poll(() => row('Others')?.textContent).toContain('bob is looking');
    expect(row('Others')?.textContent).toContain('For bob');
    expect(row('Two')?.querySelector('.inbox-team')).toBeNull();
    expect(await axeProblems(element)).toEqual([]);
    await page.viewport(320, 640);
    await expect.poll(() => document.querySelector('.inbox-shown')).toBeNull();
    for (const one of rows())
      expect(one.scrollWidth, one.textContent ?? '').toBeLessThanOrEqual(one.clientWidth);
  });

  it('[BOX-6] on a phone two whole lines of the command, with all else below them', async () => {
    const made = startInPageServer();
    const command = 'make deploy --with --many arguments that distinguish it from another one';
    const labels = { env: 'production', region: 'eu', team: 'shop', tier: '1' };
    await ask(
      made,
      'A long title of a session',
      { timeoutSeconds: 60, input: { command } },
      labels,
    );
    for (const width of [320, 390]) {
      await page.viewport(width, 640);
      show(made);
      await expect.poll(() => rows()[0]?.querySelector('.inbox-what')).not.toBeUndefined();
      const part = (name: string) =>
        rows()[0]?.querySelector(`.inbox-${name}`)?.getBoundingClientRect();
      const [line, what] = [part('line'), part('what')];
      expect(what?.width, `${width}`).toBeGreaterThan((line?.width ?? 0) - 16);
      for (const below of ['where', 'class', 'time'])
        expect(part(below)?.top, below).toBeGreaterThanOrEqual(what?.bottom ?? Infinity);
      expect(part('time')?.right).toBeLessThanOrEqual(line?.right ?? 0);
    }
  });

  it('[UI-19] the keys of its buttons, in the inbox and not in a session', async () => {
    const made = startInPageServer();
    const { id } = await ask(made, 'One', { allowEdit: true });
    show(made);
    await seesShown('One');
    await expect.element(button('Approve')).toHaveAttribute('aria-keyshortcuts', 'a');
    await expect.element(button('Deny…')).toHaveAttribute('aria-keyshortcuts', 'd');
    await expect.element(button('Edit')).toHaveAttribute('aria-keyshortcuts', 'e');
    const list = page.getByRole('list', { name: 'Requests' });
    await expect.element(list).toHaveAttribute('aria-keyshortcuts', 'j ArrowDown k ArrowUp');
    const line = document.querySelector('.inbox-line');
    expect(line?.getAttribute('aria-keyshortcuts')).toBe('Enter');
    await ask(made, 'Two', {
      kind: 'question',
      toolName: 'AskUserQuestion',
      input: undefined,
      questions: [{ question: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] }],
    });
    await expect.poll(() => rows().length).toBe(2);
    await press('j');
    await seesShown('Two');
    await expect.element(button('Decline…')).toHaveAttribute('aria-keyshortcuts', 'd');
    await press('d');
    await expect.element(page.getByRole('textbox', { name: /^Reason/ })).toHaveFocus();
    expect((await made.person.snapshot(id)).open).toHaveLength(1);
  });
});

describe('a long list', () => {
  it('[BOX-1] comes to rest at its end, and draws only what is near the window', async () => {
    const made = startInPageServer();
    for (let session = 0; session < 10; session += 1) {
      const first = await ask(made, `Service ${session}`);
      for (let at = 0; at < 14; at += 1) await first.more();
    }
    const { element } = show(made);
    // As the chat draws it: the list scrolls, and the page never does.
    Object.assign(element.style, { display: 'flex', flexDirection: 'column', height: '100vh' });
    await expect.poll(() => rows()[0]?.getAttribute('aria-setsize')).toBe('100');
    await button('Show 50 more').click();
    await expect.poll(() => rows()[0]?.getAttribute('aria-setsize')).toBe('150');
    const pane = document.querySelector('.inbox-pane');
    pane?.scrollTo(0, pane.scrollHeight);
    await expect.poll(() => rows().at(-1)?.getAttribute('aria-posinset')).toBe('150');
    const places = new Set<string>();
    for (let frame = 0; frame < 20; frame += 1) {
      await new Promise((done) => requestAnimationFrame(done));
      places.add(`${pane?.scrollTop} of ${pane?.scrollHeight}`);
    }
    // A list that answers its own scrolling jumps for ever.
    expect([...places]).toHaveLength(1);
    expect(rows().length).toBeLessThan(60);
  });
});
