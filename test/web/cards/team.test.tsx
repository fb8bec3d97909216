/** What several people see and do on one card. A bug here hides an approval, or takes the card from those who are asked. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { readAudienceNames } from '../../../src/protocol/deciding.ts';
import { setNames } from '../../../src/web/model/names.ts';
import { type ShownCard, askCard } from './ask-card.tsx';

const APPROVAL = { kind: 'approval', input: { command: 'make release' } };
const TWO = { ...APPROVAL, quorum: { approvals: 2 } };
const YES = { decision: 'approve' };
const button = (name: string | RegExp) => page.getByRole('button', { name });
const text = (words: string | RegExp) => page.getByText(words, { exact: true });

const personNamed = ({ server: { host } }: ShownCard, subject: string) =>
  host.transport({ subject, scopes: ['read', 'answer'], via: 'web' });

describe('a card for several people', () => {
  it('[VOTE-8] counts approvals with their names, and the last one decides', async () => {
    const card = await askCard(TWO);
    await expect.element(text('0 of 2 approvals')).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
    await personNamed(card, 'bob').answer(card.sessionId, 'call-1~1', YES);
    await card.show();
    await expect.element(text('1 of 2 approvals')).toBeVisible();
    expect(card.element.textContent).toContain('bob approved');
    await card.arm();
    await button(/^Approve/).click();
    await expect.element(text('2 of 2 approvals')).toBeVisible();
    await expect.element(text('You approved')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'approved' });
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[VOTE-7] offers no decision to who asked, and says why', async () => {
    const card = await askCard({ ...APPROVAL, notRequester: true });
    await expect.element(button('Deny…')).toBeVisible();
    const { openedBy, ...record } = await card.now();
    await card.show({ ...record, openedBy: { ...openedBy, subject: 'ada' } });
    await expect.element(text('You asked for this, so another person decides.')).toBeVisible();
    expect(button('Approve').query()).toBeNull();
    expect(button('Deny…').query()).toBeNull();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[VOTE-6] lets a voter withdraw, with the keyboard', async () => {
    const card = await askCard(TWO);
    await card.arm();
    await button(/^Approve/).click();
    await expect.element(text('You approved · waiting for one more')).toBeVisible();
    await expect.element(page.getByText('Waiting', { exact: true })).toBeVisible();
    for (const gone of [/^Approve/, 'Deny…']) expect(button(gone).query()).toBeNull();
    expect(await axeProblems(card.element)).toEqual([]);
    (button('Withdraw approval').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(async () => (await card.now()).votes).toEqual([]);
    await card.show();
    await expect.element(text('0 of 2 approvals')).toBeVisible();
  });

  it('[HAND-1] shows who is looking until that is over, and locks nobody out', async () => {
    const card = await askCard({ ...APPROVAL, timeoutSeconds: null });
    await personNamed(card, 'bob').claim(card.sessionId, 'call-1~1');
    await card.show();
    await expect.element(page.getByText('bob is looking at this')).toBeVisible();
    await expect.element(button('Deny…')).toBeEnabled();
    await button('I’ll look at it').click();
    await expect.poll(async () => (await card.now()).claim?.by.subject).toBe('ada');
    await card.show();
    await expect.element(text('You are looking at this')).toBeVisible();
    card.clock.advance(6 * 60_000);
    await expect.poll(() => text('You are looking at this').query()).toBeNull();
  });

  it('[HAND-2] hands over to people and groups, with a note', async () => {
    const card = await askCard(APPROVAL);
    await button('Hand over…').click();
    await expect.element(page.getByLabelText('To')).toHaveFocus();
    await userEvent.keyboard('bob, group:ops');
    await page.getByLabelText('Note (optional)').fill('You know this one');
    expect(await axeProblems(card.element)).toEqual([]);
    await button('Hand over').last().click();
    // Neither is known here: nothing has happened, and a changed name is asked about again.
    await expect
      .element(text('bob, group:ops are not known here. The request leaves you all the same.'))
      .toBeVisible();
    expect((await card.now()).audience).toBeUndefined();
    expect(await axeProblems(card.element)).toEqual([]);
    await page.getByLabelText('To').fill('bobb, group:ops');
    await button('Hand over').last().click();
    await expect.element(page.getByText(/^bobb, group:ops are not known/)).toBeVisible();
    await page.getByLabelText('To').fill('bob, group:ops');
    await button('Hand over').last().click();
    expect((await card.now()).audience).toBeUndefined();
    await button('Hand over all the same').click();
    await expect
      .poll(async () => (await card.now()).audience)
      .toEqual({
        subjects: ['bob'],
        groups: ['ops'],
      });
    await card.show();
    await expect.element(page.getByText('Handed over by ada: You know this one')).toBeVisible();
  });

  it('[HAND-2] suggests people of the directory by name, one after another', async () => {
    setNames({
      'idp|17': 'Ann Lee',
      'idp|18': 'Bo Ann',
      'idp|19': 'Cy Day',
      'uid=20,ou=ann': 'Ann Comma',
      'group:ann': 'Ann Group',
    });
    onTestFinished(() => setNames({}));
    await askCard(APPROVAL);
    await button('Hand over…').click();
    const field = page.getByLabelText('To');
    const suggested = () =>
      [...document.querySelectorAll('datalist option')].map((option) => [
        (option as HTMLOptionElement).value,
        option.textContent,
      ]);
    expect(suggested()).toEqual([]);
    await field.fill('ann');
    await expect.poll(suggested).toEqual([
      ['idp|17', 'Ann Lee'],
      ['idp|18', 'Bo Ann'],
    ]);
    await field.fill('idp|17, ann');
    await expect.poll(suggested).toEqual([['idp|17, idp|18', 'idp|17, Bo Ann']]);
    await field.fill('idp|17, nobody known');
    await expect.poll(suggested).toEqual([]);
  });

  it('[UI-2, GATE-1] names the rule that asks, as literal text', async () => {
    const card = await askCard(APPROVAL);
    const askedBy = {
      rule: 'rule_1',
      scope: 'workspace',
      createdBy: '<b>ana</b>',
      pattern: 'Bash: make \u202e…',
    } as const;
    await card.show({ ...(await card.now()), askedBy });
    await expect.element(text(/^The rule .* of the workspace asks/)).toBeVisible();
    expect(card.element.querySelector('.team-line')?.textContent).toBe(
      'The rule Bash: make \\u202E… of the workspace asks, made by <b>ana</b>',
    );
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[INT-19] says which decision it takes up again', async () => {
    const card = await askCard(APPROVAL);
    const bob = personNamed(card, 'bob');
    await bob.answer(card.sessionId, 'call-1~1', YES);
    const again = await bob.undo(card.sessionId, 'call-1~1');
    await card.show(again);
    await expect
      .element(page.getByText('bob took back the decision on this. It is open again.'))
      .toBeVisible();
    await card.show();
    await expect.element(page.getByText('Taken back').first()).toBeVisible();
  });
});

it('[HAND-2] reads names and groups as they are written', () => {
  expect(readAudienceNames(' bob , group:ops,,')).toEqual({ subjects: ['bob'], groups: ['ops'] });
  expect(readAudienceNames(' , ')).toBeUndefined();
});
