/** Questions. A bug here sends an answer that no one gave, or loses one that a person wrote. */
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard, memoryKeep } from './ask-card.tsx';

const COLOR = {
  header: 'Color',
  question: 'Which color?',
  options: [
    { label: 'Red', description: 'Like fire' },
    { label: 'Blue', preview: '#00f' },
  ],
};
const SIZES = {
  header: 'Sizes',
  question: 'Which sizes?',
  multiSelect: true,
  options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }],
};
const one = { kind: 'question', toolName: 'AskUserQuestion', questions: [COLOR] };
const two = { ...one, questions: [COLOR, SIZES] };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const focusCard = (element: HTMLElement) => element.querySelector<HTMLElement>('.card')?.focus();

describe('a card for questions', () => {
  it('[UI-1] has a chip, options with description and preview, and a free answer; Submit waits for an answer', async () => {
    const card = await askCard(one);
    await expect.element(page.getByRole('group', { name: /Color.*Which color\?/ })).toBeVisible();
    await expect.element(page.getByText('Like fire')).toBeVisible();
    await expect.element(page.getByText('#00f')).toBeVisible();
    await expect.element(button('Submit')).toBeDisabled();
    expect(await axeProblems(card.element)).toEqual([]);
    await page.getByRole('radio', { name: 'Red' }).click();
    await button('Submit').click();
    await expect.element(page.getByText('Selected: Red')).toBeVisible();
    expect(card.element.querySelector('.card')?.classList).toContain('emerald');
    expect((await card.now()).answers).toEqual({ 0: 'Red' });
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-1, QST-1] without options has one field, which Enter does not send', async () => {
    const card = await askCard({ ...one, questions: [{ question: 'Why?' }] });
    expect(card.element.querySelector('.chip')).toBeNull();
    expect(card.element.querySelector('[type=radio]')).toBeNull();
    await expect.element(button('Submit')).toBeDisabled();
    const field = page.getByRole('textbox', { name: 'Your own answer to: Why?' });
    await field.fill('  ');
    await expect.element(button('Submit')).toBeDisabled();
    await field.fill('1');
    expect(await axeProblems(card.element)).toEqual([]);
    await userEvent.keyboard('{Enter}');
    expect((await card.now()).status).toBe('open');
    await button('Submit').click();
    await expect.element(page.getByText('Selected: 1')).toBeVisible();
    expect((await card.now()).answers).toEqual({ 0: '1' });
  });

  it('[UI-1, UI-6] has twelve options, of which digits choose the first nine', async () => {
    const options = Array.from({ length: 12 }, (_, at) => ({ label: `Option ${at + 1}` }));
    const questions = [{ question: 'Which?', options }, { question: 'Why?' }];
    const card = await askCard({ ...one, questions });
    expect(card.element.querySelectorAll('[type=radio]')).toHaveLength(13);
    expect(card.element.querySelectorAll('kbd')).toHaveLength(9);
    focusCard(card.element);
    await userEvent.keyboard('9');
    await expect.element(page.getByRole('radio', { name: 'Option 9' })).toBeChecked();
    await page.getByRole('radio', { name: 'Option 12' }).click();
    await userEvent.keyboard('{Enter}');
    await expect
      .element(page.getByRole('textbox', { name: 'Your own answer to: Why?' }))
      .toHaveFocus();
    await userEvent.keyboard('No reason');
    await button('Submit').click();
    await expect.element(page.getByText('Selected: Option 12')).toBeVisible();
    expect((await card.now()).answers).toEqual({ 0: 'Option 12', 1: 'No reason' });
  });

  it('[UI-6] is answered by keyboard alone: digits choose, Enter continues and submits', async () => {
    const card = await askCard(two);
    focusCard(card.element);
    await userEvent.keyboard('2');
    await expect.element(page.getByRole('radio', { name: 'Blue' })).toBeChecked();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('checkbox', { name: 'S', exact: true })).toHaveFocus();
    await userEvent.keyboard('13');
    await userEvent.keyboard('{Control>}2{/Control}');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Selected: S, L')).toBeVisible();
    expect((await card.now()).answers).toEqual({ 0: 'Blue', 1: ['S', 'L'] });
  });

  it('[UI-1] accepts a free answer: typing selects it, and a blank one does not count', async () => {
    const card = await askCard(one);
    await page.getByRole('radio', { name: 'Red' }).click();
    const field = page.getByRole('textbox');
    await field.fill('Mauve 1');
    await expect.element(page.getByLabelText('Other')).toBeChecked();
    await expect.element(page.getByRole('radio', { name: 'Red' })).not.toBeChecked();
    await field.fill('  ');
    await expect.element(button('Submit')).toBeDisabled();
    await field.fill(' Mauve ');
    field.element().focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Selected: Mauve')).toBeVisible();
    expect((await card.now()).answers).toEqual({ 0: 'Mauve' });
  });

  it('[UI-1] goes Back and Next without losing anything, and shows which have an answer', async () => {
    const card = await askCard(two);
    await expect.element(page.getByRole('list', { name: 'Question 1 of 2' })).toBeVisible();
    await expect.element(button('Next')).toBeDisabled();
    await page.getByRole('radio', { name: 'Blue' }).click();
    await button('Next').click();
    await button('Back').click();
    await expect.element(page.getByRole('radio', { name: 'Blue' })).toBeChecked();
    await expect.element(page.getByRole('button', { name: /Color: / })).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-8] keeps the draft through a reload, for this interaction of this session only', async () => {
    const store = memoryKeep();
    const card = await askCard(one, { store });
    await page.getByRole('textbox').fill('Half a though');
    await askCard(one, { store, server: card.server });
    const [first, second] = page.getByRole('textbox').elements() as HTMLInputElement[];
    expect([first?.value, second?.value]).toEqual(['Half a though', '']);
    const again = await askCard(one, {
      store,
      server: card.server,
      session: { id: card.sessionId, title: null },
    });
    expect(again.element.querySelector<HTMLInputElement>('[type=text]')?.value).toBe(
      'Half a though',
    );
  });

  it('[UI-1] keeps the input when it cannot be sent, and sends it with the same key again', async () => {
    const card = await askCard(one);
    const answer = vi.spyOn(card.server.person, 'answer').mockRejectedValueOnce(new Error('Lost'));
    await page.getByRole('radio', { name: 'Red' }).click();
    await button('Submit').click();
    await expect.element(page.getByRole('alert')).toHaveTextContent(/Something went wrong/);
    await expect.element(page.getByRole('radio', { name: 'Red' })).toBeChecked();
    expect(await axeProblems(card.element)).toEqual([]);
    await button('Submit').click();
    await expect.element(page.getByText('Selected: Red')).toBeVisible();
    const [first, second] = answer.mock.calls;
    expect(second?.[3]?.idempotencyKey).toBe(first?.[3]?.idempotencyKey);
  });

  it('[UI-1, INT-15] declines with a reason', async () => {
    const card = await askCard(one);
    await button('Decline…').click();
    await userEvent.keyboard('Ask Bob{Enter}');
    await expect.element(page.getByText('Declined')).toBeVisible();
    await expect.element(page.getByText('Ask Bob')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'denied', reason: 'Ask Bob' });
  });

  it('[UI-1, QST-4] starts with the answers of another surface', async () => {
    const card = await askCard(two);
    await card.server.person.answer(card.sessionId, 'call-1~1', { question: 0, option: 1 });
    await card.show();
    await expect.element(page.getByRole('radio', { name: 'Blue' })).toBeChecked();
  });

  it('[UI-1, QST-9] says so when another surface answered the same question', async () => {
    const card = await askCard(two);
    await page.getByRole('radio', { name: 'Red' }).click();
    await card.server.person.answer(card.sessionId, 'call-1~1', { question: 0, text: 'Mauve' });
    await card.show();
    await expect.element(page.getByText(/Answered elsewhere with “Mauve”/)).toBeVisible();
    await expect.element(page.getByRole('radio', { name: 'Red' })).toBeChecked();
    expect(await axeProblems(card.element)).toEqual([]);
    await page.getByLabelText('Other').click();
    await page.getByRole('textbox').fill('Mauve');
    await expect.poll(() => page.getByText(/Answered elsewhere/).query()).toBeNull();
  });

  it('[UI-1, QST-9] shows other ends: expired, cancelled, answered elsewhere', async () => {
    const card = await askCard({ ...two, timeoutSeconds: 600 });
    for (const [outcome, via, words] of [
      ['expired', 'timeout', 'Expired: no answer within 10 minutes'],
      ['cancelled', 'system', 'Cancelled'],
      ['answered', 'link', 'by bob by an answer link'],
    ] as const) {
      await card.show({
        ...card.opened,
        status: 'settled',
        outcome,
        settledAt: card.clock.now(),
        settledBy: { subject: 'bob', via },
        partialAnswers: { 0: 'Red' },
        rev: 9,
      });
      await expect.element(page.getByText(words)).toBeVisible();
      await expect.element(page.getByText('Selected: Red')).toBeVisible();
      expect(card.element.querySelector('.card')?.classList).toContain('grey');
      expect(await axeProblems(card.element)).toEqual([]);
    }
  });

  it('[UI-6] ignores keys during composition and typing', async () => {
    const card = await askCard(one);
    const field = page.getByRole('textbox');
    await field.fill('2');
    const composing = { key: 'Enter', isComposing: true, bubbles: true };
    field.element().dispatchEvent(new KeyboardEvent('keydown', composing));
    await expect.element(page.getByRole('radio', { name: 'Blue' })).not.toBeChecked();
    expect((await card.now()).status).toBe('open');
  });
});
