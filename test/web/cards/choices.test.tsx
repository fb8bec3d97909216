/**
 * An approval that offers choices. A bug here looks like a press that does something else than the words beside it, a
 * choice that approves what no one read, or a denial that looks like an approval.
 */
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard } from './ask-card.tsx';

const INPUT = { command: 'git push' };
const CHOICES = [
  { id: 'once', label: 'Push', tone: 'primary', decision: 'approve' },
  { id: 'exact', label: 'Always this push', decision: 'approve', remember: 'exact' },
  { id: 'tool', label: 'Always push', decision: 'approve', remember: 'tool' },
  { id: 'never', label: 'Never push', tone: 'danger', decision: 'deny' },
  { id: 'halt', label: 'Stop here', tone: 'primary', decision: 'deny', stop: true },
];
const ask = (more: object = {}) =>
  askCard({ kind: 'approval', input: INPUT, choices: CHOICES, ...more });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const exactly = (name: string) => page.getByRole('button', { name, exact: true });

describe('a card with choices', () => {
  it('[APR-6, UI-2] shows each with what it does, in place of Approve and Deny', async () => {
    const card = await ask();
    await expect.element(button('Push Approves this call.')).toBeVisible();
    await expect.element(button(/Always push.*every Bash call/)).toBeVisible();
    await expect.element(button('Never push Denies this call.')).toBeVisible();
    expect(exactly('Approve').query()).toBeNull();
    expect(exactly('Deny…').query()).toBeNull();
    const kinds = [...card.element.querySelectorAll('.choice-list .button')].map(
      ({ classList }) => classList[1],
    );
    expect(kinds).toEqual(['primary', 'plain', 'plain', 'danger', 'plain']);
    expect(await axeProblems(card.element)).toEqual([]);
    await card.arm();
    await button('Push Approves this call.').click();
    await expect.element(page.getByText('Approved')).toBeVisible();
    await expect.element(page.getByText('Push', { exact: true })).toBeVisible();
    expect((await card.now()).decision).toEqual({
      decision: 'approve',
      offer: 'once',
      choice: 'once',
    });
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[APR-6, UI-6] approves only 600 ms after it appeared', async () => {
    const card = await ask();
    await expect.element(button('Push Approves this call.')).toBeDisabled();
    await card.arm();
    await expect.element(button('Push Approves this call.')).toBeEnabled();
  });

  it('[APR-6, UI-2] approves a long input only after all of it was in the window', async () => {
    const card = await ask({ input: { command: `${'x'.repeat(100 * 1024)} && rm -rf /` } });
    await card.arm();
    await expect.element(button(/^Push /)).toBeDisabled();
    await expect.element(page.getByText('Review the full input before approving')).toBeVisible();
    await expect.element(button(/^Never push/)).toBeEnabled();
  });

  it('[APR-6, APR-1] denies with a reason, which survives a reload with its choice', async () => {
    const card = await ask();
    await button(/^Never push/).click();
    await expect.element(page.getByRole('textbox')).toHaveFocus();
    expect(await axeProblems(card.element)).toEqual([]);
    await userEvent.keyboard('Not today');
    await card.reload();
    await expect.element(page.getByRole('textbox')).toHaveValue('Not today');
    await expect.element(page.getByText('Never push')).toBeVisible();
    await page.getByLabelText('Also stop the agent’s turn').click();
    await exactly('Deny').click();
    await expect.element(page.getByText('Denied, turn stopped')).toBeVisible();
    expect(await card.now()).toMatchObject({
      outcome: 'denied',
      reason: 'Not today',
      decision: { decision: 'deny', choice: 'never', stop: true },
    });
  });

  it('[APR-7] says that a choice stops the turn, and offers no second stop', async () => {
    const card = await ask();
    await button(/^Stop here Denies this call and stops/).click();
    expect(page.getByLabelText('Also stop the agent’s turn').query()).toBeNull();
    await exactly('Deny').click();
    await expect.element(page.getByText('Denied, turn stopped')).toBeVisible();
    expect((await card.now()).decision).toEqual({ decision: 'deny', choice: 'halt', stop: true });
  });

  it('[APR-6, APR-3] keeps a rule for any input of a shell only in a second step', async () => {
    const card = await ask();
    await card.arm();
    await button(/^Always push/).click();
    await expect.element(page.getByText(/runs any command it is given/)).toBeVisible();
    expect((await card.now()).status).toBe('open');
    await card.arm();
    await button('Allow every command').click();
    await expect.element(page.getByText('Approved for this session')).toBeVisible();
    expect((await card.now()).decision).toMatchObject({ choice: 'tool', offer: 'session' });
  });

  it('[APR-6, APR-2] approves an edit by a choice that keeps no rule', async () => {
    const card = await ask({ allowEdit: true });
    await card.arm();
    await exactly('Edit').click();
    await page.getByLabelText('command').fill('git push --dry-run');
    await card.arm();
    expect(button(/Approve with changes: Always/).query()).toBeNull();
    await button('Approve with changes: Push').click();
    await expect.element(page.getByText('Approved', { exact: true })).toBeVisible();
    expect(await card.now()).toMatchObject({
      updatedInput: { command: 'git push --dry-run' },
      decision: { choice: 'once' },
    });
  });

  it('[APR-6, UI-11] shows a hostile label letter by letter, and lets a person deny without it', async () => {
    const label = 'Deny\u202E this <b>call</b>';
    const card = await ask({ choices: [{ id: 'x', label, tone: 'danger', decision: 'approve' }] });
    const row = card.element.querySelector('.choice-list .button');
    expect(row?.textContent).toContain('Deny\\u202E this <b>call</b>');
    expect(row?.textContent).toContain('Approves this call.');
    await exactly('Deny…').click();
    await exactly('Deny').click();
    await expect.element(page.getByText('Denied', { exact: true })).toBeVisible();
    expect((await card.now()).decision).toEqual({ decision: 'deny' });
  });

  it('[APR-6, UI-12] shows the choices without buttons to a person who may not answer', async () => {
    const card = await askCard(
      { kind: 'approval', input: INPUT, choices: CHOICES },
      { canAnswer: false },
    );
    await expect.element(page.getByText('Never push')).toBeVisible();
    expect(card.element.querySelector('.choice-list button')).toBeNull();
  });
});

it('[APR-7] a plain denial may stop the turn', async () => {
  const card = await askCard({ kind: 'approval', input: INPUT });
  await exactly('Deny…').click();
  await page.getByLabelText('Also stop the agent’s turn').click();
  expect(await axeProblems(card.element)).toEqual([]);
  await exactly('Deny').click();
  await expect.element(page.getByText('Denied, turn stopped')).toBeVisible();
  expect((await card.now()).decision).toEqual({ decision: 'deny', stop: true });
});
