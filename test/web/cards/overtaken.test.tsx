/** A request ends while a person is writing. A bug here loses the text. */
import { describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Interaction } from '../../../src/protocol/types.ts';
import type { SendText } from '../../../src/web/cards/card-props.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard, memoryKeep, type ShownCard } from './ask-card.tsx';
import { inLongRun } from '../../support/run-length.ts';

const APPROVAL = { kind: 'approval', input: { command: 'make deploy' } };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const written = () => page.getByLabelText('What you wrote');
const mia = (card: ShownCard) =>
  card.server.host.transport({ subject: 'mia', scopes: ['admin'], via: 'web' });

async function denies(words: string): Promise<void> {
  await button('Deny…').click();
  await userEvent.keyboard(words);
}

describe('[UI-8] a person who is overtaken', () => {
  it('keeps the text and the focus, and can send the text as a message', async () => {
    const onSay = vi.fn<SendText>(async () => undefined);
    const card = await askCard(APPROVAL, { onSendText: onSay });
    await denies('Not on a Friday');
    await mia(card).approveTool(card.sessionId, 'call-1');
    await card.show();
    await expect.element(page.getByText('mia approved this while you were writing.')).toBeVisible();
    await expect.element(written()).toHaveValue('Not on a Friday');
    await expect.element(written()).toHaveFocus();
    expect(await axeProblems(card.element)).toEqual([]);
    await userEvent.keyboard(', please');
    await button('Send it as a message').click();
    expect(onSay).toHaveBeenCalledWith('Not on a Friday, please', expect.any(String));
    await expect.poll(() => written().query()).toBeNull();
    await card.reload();
    expect(written().query()).toBeNull();
  });

  it('keeps the text through a reload, until it is discarded', async () => {
    const card = await askCard(APPROVAL);
    await denies('Not on a Friday');
    await mia(card).approveTool(card.sessionId, 'call-1');
    await card.reload();
    await expect.element(written()).toHaveValue('Not on a Friday');
    await written().fill('Never on a Friday');
    await card.reload();
    await expect.element(written()).toHaveValue('Never on a Friday');
    // Nothing was pressed: a freshly opened page does not take the focus.
    await expect.element(written()).not.toHaveFocus();
    await button('Discard').click();
    await card.reload();
    expect(written().query()).toBeNull();
  });

  it('keeps the text when it cannot be sent', async () => {
    const onSay = vi.fn<SendText>(async () => Promise.reject(new Error('Lost')));
    const card = await askCard(APPROVAL, { onSendText: onSay });
    await denies('Not on a Friday');
    await mia(card).approveTool(card.sessionId, 'call-1');
    await card.show();
    await button('Send it as a message').click();
    await expect.element(page.getByText(/Something went wrong/)).toBeVisible();
    await expect.element(written()).toHaveValue('Not on a Friday');
    await button('Send it as a message').click();
    const keys = onSay.mock.calls.map(([, key]) => key);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  });

  it.each([
    [
      'a plan',
      { kind: 'plan_review', plan: 'Leap' },
      'What should change?',
      /^mia requested changes to this while you/,
    ],
    [
      'a question',
      {
        kind: 'question',
        questions: [{ header: 'A', question: 'Which?', options: [{ label: 'x' }, { label: 'y' }] }],
      },
      'Your own answer to: Which?',
      /^mia declined this while you/,
    ],
  ] as const)('keeps the text of %s', async (_what, request, field, said) => {
    const card = await askCard(request);
    if (request.kind === 'plan_review') await page.getByLabelText(/Request changes/).click();
    await page.getByLabelText(field).fill('Look first');
    const other = mia(card);
    await (request.kind === 'plan_review'
      ? other.reviewPlan(card.sessionId, 'call-1~1', 'adjust', 'No')
      : other.answer(card.sessionId, 'call-1~1', { decline: true }));
    await card.show();
    await expect.element(page.getByText(said)).toBeVisible();
    await expect.element(written()).toHaveValue('Look first');
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('sees an expiry or a cancellation, and no notice where nothing was written', async () => {
    const card = await askCard(APPROVAL);
    await denies('Not now');
    const ended = (outcome: Interaction['outcome'], via: 'timeout' | 'system') =>
      card.show({
        ...card.opened,
        status: 'settled',
        outcome,
        settledAt: card.clock.now(),
        settledBy: { subject: 'system', via },
        rev: 9,
      });
    await ended('expired', 'timeout');
    await expect.element(page.getByText('This expired while you were writing.')).toBeVisible();
    const other = await askCard(APPROVAL, { server: card.server });
    await mia(other).approveTool(other.sessionId, 'call-1');
    await other.show();
    expect(other.element.querySelector('.unsent')).toBeNull();
  });

  it('sees no notice about their own answer', async () => {
    const card = await askCard(APPROVAL);
    await denies('Never mind');
    await userEvent.keyboard('{Escape}');
    await card.arm();
    await button('Approve').click();
    await expect.element(page.getByText('by you')).toBeVisible();
    expect(written().query()).toBeNull();
    await card.reload();
    expect(written().query()).toBeNull();
  });
});

describe('[UI-8] a reason', () => {
  inLongRun(() => {
    it('survives a reload with its field open, and takes no focus', async () => {
      const store = memoryKeep();
      const card = await askCard(APPROVAL, { store });
      await denies('Not on a Fri');
      await card.reload();
      const field = page.getByRole('textbox');
      await expect.element(field).toHaveValue('Not on a Fri');
      await expect.element(field).not.toHaveFocus();
      await field.click();
      await userEvent.keyboard('{End}day{Enter}');
      await expect.element(page.getByText('by you')).toBeVisible();
      expect((await card.now()).reason).toBe('Not on a Friday');
    });
  });

  it('survives a reload for a decline, as does an edit of the input', async () => {
    const card = await askCard({ kind: 'form', schema: SCHEMA });
    await button('Decline…').click();
    await userEvent.keyboard('Not mine');
    await card.reload();
    await expect.element(page.getByLabelText(/^Reason/)).toHaveValue('Not mine');
    const edit = await askCard({ ...APPROVAL, allowEdit: true });
    await edit.arm();
    await button('Edit').click();
    const field = page.getByLabelText('command');
    await field.fill('make');
    await edit.reload();
    await edit.arm();
    await button('Edit').click();
    await expect.element(field).toHaveValue('make');
  });
});

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };
