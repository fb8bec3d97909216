/** The inbox by keys, and several requests together. A bug here answers a request that no one meant. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { startInPageServer } from '../../support/web/in-page-server.ts';
import { ADA, button, rows, ask, show, press, seesShown, openWindow } from './shown-inbox.tsx';

beforeEach(openWindow);

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
    await seesShown('Two');
    await expect.element(button('Deny…')).toBeEnabled();
    await press('d');
    // Letters in the field are letters.
    await press('jx Not now{Enter}');
    await seesShown('Three');
    await press('k');
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

  it('[BOX-1, UI-6] lose no press of one who goes from request to request', async () => {
    const made = startInPageServer();
    const asked = [];
    for (let at = 0; at < 30; at += 1)
      asked.push(await ask(made, `Number ${at}.`, { timeoutSeconds: 60 + at }));
    const { arm, clock } = show(made);
    // Reports of the server would set it, and a slow machine takes more than a second for a press.
    vi.spyOn(clock, 'setServerTime').mockImplementation(() => undefined);
    await seesShown('Number 0.');
    await arm();
    await press('a');
    for (const [at] of asked.entries()) {
      if (at === 0) continue;
      await press('j');
      await seesShown(`Number ${at}.`);
      // No moment passes on this clock, and the press may come before the card.
      await press('a');
      await expect.poll(() => rows()[at]?.classList.contains('done')).toBe(true);
    }
    const outcomes = await Promise.all(
      asked.map(({ id, interactionId }) => made.person.interaction(id, interactionId)),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'approved')).toHaveLength(30);
  });

  it('[BOX-1] a second press is not for the request that comes next, and Esc takes a press back', async () => {
    const made = startInPageServer();
    await ask(made, 'One', { timeoutSeconds: 60 });
    const two = await ask(made, 'Two', { timeoutSeconds: 120 });
    const { arm, clock } = show(made);
    await seesShown('One');
    await arm();
    await press('aa');
    await seesShown('Two');
    await expect.element(button('Approve')).toBeVisible();
    await press('a');
    await expect.element(page.getByText(/^Your press counts in a moment/)).toBeVisible();
    await press('{Escape}');
    expect(page.getByText(/^Your press counts/).query()).toBeNull();
    await arm();
    clock.advance(600);
    expect((await made.person.interaction(two.id, two.interactionId)).status).toBe('open');
  });

  it('[BOX-1, UI-2] approve by no press what was not shown whole, also after an own move', async () => {
    const made = startInPageServer();
    await ask(made, 'One', { timeoutSeconds: 60 });
    const long = await ask(made, 'Long', {
      timeoutSeconds: 120,
      input: { command: 'x\n'.repeat(400) },
    });
    const { arm } = show(made);
    await seesShown('One');
    await press('j');
    await seesShown('Long');
    await press('a');
    await expect.element(page.getByText('Review the full input before approving')).toBeVisible();
    await arm();
    await press('aa');
    expect((await made.person.interaction(long.id, long.interactionId)).status).toBe('open');
    expect(page.getByText(/^Your press counts/).query()).toBeNull();
  });

  it('[BOX-1] stay where a pointer decided', async () => {
    const made = startInPageServer();
    await ask(made, 'One', { timeoutSeconds: 60 });
    await ask(made, 'Two', { timeoutSeconds: 120 });
    const { arm } = show(made);
    await seesShown('One');
    await arm();
    await button('Approve').click();
    await expect.element(page.getByText('by you', { exact: true })).toBeVisible();
    await seesShown('One');
  });

  it('[BOX-1] lead with Enter to the row that has the focus, and from the shown one to its card', async () => {
    const made = startInPageServer();
    await ask(made, 'One', { timeoutSeconds: 60 });
    await ask(made, 'Two', { timeoutSeconds: 120 });
    show(made);
    await seesShown('One');
    rows()[1]?.querySelector<HTMLElement>('.inbox-line')?.focus();
    await press('{Enter}');
    await seesShown('Two');
    await press('{Enter}');
    await expect.poll(() => document.activeElement?.className).toContain('card');
  });

  it('[BOX-1, UI-6] approve nothing that was not shown whole, and at once what was', async () => {
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
    // The clock stands still: the person went there, and sees all of it.
    await press('a');
    await expect
      .poll(async () => (await made.person.interaction(other.id, other.interactionId)).outcome)
      .toBe('approved');
    expect((await made.person.interaction(id, interactionId)).status).toBe('open');
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

  it('[BOX-3, BOX-6] staging is not production: labels are shown, and tell requests apart', async () => {
    const made = startInPageServer();
    const deploy = { input: { command: 'make deploy' } };
    const shop = { region: 'eu', team: 'shop', tier: '1', wave: '2' };
    const staged = { timeoutSeconds: 60, ...deploy };
    await ask(made, 'One', staged, { ...shop, env: 'staging' });
    await ask(made, 'Two', { timeoutSeconds: 120, ...deploy }, { env: 'staging', ...shop });
    const live = await ask(
      made,
      'Three',
      { timeoutSeconds: 180, ...deploy },
      { ...shop, env: 'production' },
    );
    const { element, arm } = show(made);
    await seesShown('One');
    await expect.element(page.getByText('2 requests ask the same')).toBeVisible();
    const chipsOf = (where: Element | null | undefined) =>
      [...(where?.querySelectorAll('.label-chip') ?? [])].map((chip) => chip.textContent);
    expect(rows().map((row) => chipsOf(row))).toEqual([
      ['staging', 'region=eu', 'team=shop', 'tier=1'],
      ['staging', 'region=eu', 'team=shop', 'tier=1'],
      ['production', 'region=eu', 'team=shop', 'tier=1'],
    ]);
    const card = () => document.querySelector('.inbox-shown .card-head');
    await expect.poll(() => chipsOf(card())[0]).toBe('staging');
    await arm();
    await press('s');
    await press('jj');
    await seesShown('Three');
    await expect.poll(() => chipsOf(card())[0]).toBe('production');
    expect(card()?.querySelector('.production')).not.toBeNull();
    await press('x');
    await expect.element(page.getByText('3 selected')).toBeVisible();
    expect(chipsOf(document.querySelector('.batch-bar'))).toEqual([
      '1 production',
      '2 staging',
      '3 region=eu',
      '3 team=shop',
    ]);
    expect(await axeProblems(element)).toEqual([]);
    // What was seen of staging says nothing of production.
    await press('u');
    await press('kk');
    await seesShown('One');
    await press('s');
    expect((await made.person.interaction(live.id, live.interactionId)).status).toBe('open');
    await expect.element(page.getByText('2 selected')).toBeVisible();
  });

  it('[BOX-3] a request that was shown before the list arrived counts as shown', async () => {
    const made = startInPageServer();
    const { id: session, interactionId: interaction } = await ask(made, 'Service 1', TESTS);
    await ask(made, 'Service 2', TESTS);
    const subscribe = made.person.subscribeInbox.bind(made.person);
    const listed = Promise.withResolvers<void>();
    vi.spyOn(made.person, 'subscribeInbox').mockImplementation((subscriber) =>
      subscribe({
        ...subscriber,
        inbox: (inbox) => void listed.promise.then(() => subscriber.inbox?.(inbox)),
      }),
    );
    const { arm } = show(made, { location: { page: 'inbox', session, interaction } });
    await expect.element(page.getByRole('article', { name: 'Bash npm test' })).toBeVisible();
    await arm();
    expect(rows()).toHaveLength(0);
    listed.resolve();
    await expect.element(button('Select all 2')).toBeVisible();
    await press('s');
    await expect.element(page.getByText('2 selected')).toBeVisible();
    expect(page.getByText(/^Look at each of them in full/).query()).toBeNull();
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

  it('[BOX-3] counts what is loaded, and decides all that ask the same', async () => {
    const made = startInPageServer();
    const asked = [];
    for (let at = 0; at < 5; at += 1) asked.push(await ask(made, `Service ${at}`, TESTS));
    const subscribe = made.person.subscribeInbox.bind(made.person);
    vi.spyOn(made.person, 'subscribeInbox').mockImplementation((subscriber) =>
      subscribe({
        ...subscriber,
        inbox: () => void made.person.inbox({ limit: 2 }).then((two) => subscriber.inbox?.(two)),
      }),
    );
    const { arm } = show(made);
    await expect.element(page.getByText('2 of the 2 loaded requests ask the same')).toBeVisible();
    await arm();
    await button('Select all that ask the same').click();
    await expect.element(page.getByText('5 selected')).toBeVisible();
    await arm();
    await press('a');
    for (const { id, interactionId } of asked)
      await expect
        .poll(async () => (await made.person.interaction(id, interactionId)).outcome)
        .toBe('approved');
    vi.restoreAllMocks();
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
