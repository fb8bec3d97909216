/** A form. A bug here loses typed values, or shows an error where it is not seen. */
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard, memoryKeep } from './ask-card.tsx';

const SCHEMA = {
  type: 'object',
  required: ['region', 'count'],
  properties: {
    region: { type: 'string', title: 'Region', enum: ['eu', 'us'], enumNames: ['Europe', 'USA'] },
    count: { type: 'integer', title: 'Count', minimum: 1, maximum: 9 },
    mail: { type: 'string', title: 'Mail', format: 'email', description: 'Whom to tell' },
    day: { type: 'string', title: 'Day', format: 'date' },
    canary: { type: 'boolean', title: 'Canary' },
    tags: { type: 'array', title: 'Tags', items: { enum: ['web', 'api'] } },
    note: { type: 'string', title: 'Note', default: 'None' },
  },
};
const form = { kind: 'form', toolName: 'collect', title: 'Where to', schema: SCHEMA };
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** To its end, as a person reads it: Submit leads on to what was not in the window. */
async function readForm(): Promise<void> {
  const review = () => document.querySelector<HTMLElement>('.review');
  await expect
    .poll(() => {
      review()?.click();
      return review();
    })
    .toBeNull();
}

describe('a card for a form', () => {
  it('[UI-4] has a field for each type, preselects nothing, and sends the values', async () => {
    const card = await askCard({ ...form, description: 'For the release' });
    await readForm();
    expect(await axeProblems(card.element)).toEqual([]);
    await expect.element(page.getByLabelText('Region')).toHaveValue('');
    await expect.element(page.getByLabelText(/Note/)).toHaveValue('None');
    await page.getByLabelText('Region').selectOptions('Europe');
    await page.getByLabelText('Count').fill('3');
    await page.getByLabelText(/Day/).fill('2026-02-03');
    await page.getByLabelText('No', { exact: true }).click();
    await page.getByLabelText('api').click();
    await button('Submit').click();
    await expect.element(page.getByText('by you')).toBeVisible();
    await expect.element(page.getByText('Europe')).toBeVisible();
    expect((await card.now()).values).toEqual({
      region: 'eu',
      count: 3,
      day: '2026-02-03',
      canary: false,
      tags: ['api'],
      note: 'None',
    });
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-4] shows errors at their fields, focuses the first, and keeps typed values', async () => {
    const card = await askCard(form);
    await readForm();
    await page.getByLabelText('Count').fill('lots');
    await button('Submit').click();
    await expect.element(page.getByLabelText('Region')).toHaveFocus();
    await expect.element(page.getByLabelText('Region')).toHaveAccessibleDescription(/Required/);
    await expect.element(page.getByText('Use a whole number')).toBeVisible();
    await expect.element(page.getByLabelText('Count')).toHaveValue('lots');
    expect(await axeProblems(card.element)).toEqual([]);
    await page.getByLabelText('Region').selectOptions('USA');
    await page.getByLabelText('Count').fill('99');
    await page.getByLabelText(/Mail/).fill('nobody');
    await button('Submit').click();
    await expect.element(page.getByText('Some fields need another look')).toBeVisible();
    await expect.element(page.getByLabelText('Count')).toHaveFocus();
    await expect.element(page.getByLabelText(/Mail/)).toHaveAttribute('aria-invalid', 'true');
    expect((await card.now()).status).toBe('open');
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-4, FORM-2] shows the tool’s errors, and keeps the values', async () => {
    const card = await askCard({
      ...form,
      errorSummary: 'That region is full',
      fieldErrors: { region: 'Take another one' },
    });
    await card.show({ ...card.opened, typedValues: { region: 'eu', count: 4, canary: true } });
    await expect.element(page.getByText('That region is full')).toBeVisible();
    await expect.element(page.getByText('Take another one')).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-4, UI-6, FORM-1] without fields is accepted or declined with a button, not by accident', async () => {
    const consent = {
      ...form,
      description: 'May the release be announced?',
      schema: { type: 'object', properties: {} },
    };
    const card = await askCard(consent);
    expect(await axeProblems(card.element)).toEqual([]);
    const buttons = [...card.element.querySelectorAll('.card-actions .button')];
    expect(buttons.map((one) => one.textContent)).toEqual(['Accept', 'Decline…']);
    expect(card.element.querySelector('input:not([type=file]), select, textarea')).toBeNull();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Accept')).toHaveAttribute('aria-disabled');
    await card.arm();
    await button('Accept').click();
    await expect.element(page.getByText('by you')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'answered', values: {} });
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-4, FORM-1] without fields shows the full explanation before acceptance', async () => {
    const long = `${'Much is said here.\n'.repeat(1_000)}And this at the end.`;
    const card = await askCard({
      ...form,
      description: long,
      schema: { type: 'object', properties: {} },
    });
    await card.arm();
    await expect.element(button('Accept')).toHaveAttribute('aria-disabled');
    await page.getByRole('button', { name: /Show all/ }).click();
    await button('Decline…').click();
    await userEvent.keyboard('Too long{Enter}');
    await expect.element(page.getByText('Declined')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'denied', reason: 'Too long' });
  });

  it('[UI-4, UI-8] keeps typed values through a reload', async () => {
    const store = memoryKeep();
    const card = await askCard(form, { store });
    await page.getByLabelText(/Mail/).fill('ada@example.com');
    const again = await askCard(form, {
      store,
      session: { id: card.sessionId, title: null },
    });
    const field = again.element.querySelector<HTMLInputElement>('[inputmode=email]');
    expect(field?.value).toBe('ada@example.com');
  });

  it('[UI-4, FORM-1] shows what each choice means, examples, and no answer as one', async () => {
    const card = await askCard({
      ...form,
      schema: {
        type: 'object',
        required: ['store', 'note'],
        properties: {
          store: {
            type: 'string',
            title: 'Store',
            oneOf: [
              { const: 'lite', title: 'SQLite', description: 'One file', _meta: { x: 1 } },
              { const: 'pg', title: 'Postgres' },
            ],
          },
          share: { type: 'number', title: 'Share', exclusiveMinimum: 0, examples: [0.5] },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }], title: 'Note' },
        },
      },
    });
    expect(await axeProblems(card.element)).toEqual([]);
    await expect.element(page.getByText('One file')).toBeVisible();
    await expect.element(page.getByText('More than 0. For example: 0.5')).toBeVisible();
    await readForm();
    await page.getByLabelText(/SQLite/).click();
    await button('Submit').click();
    await expect.element(page.getByText('by you')).toBeVisible();
    expect((await card.now()).values).toEqual({ store: 'lite', note: null });
    await expect.element(page.getByText('null')).not.toBeInTheDocument();
  });

  it('[UI-4, UI-6] is sent by Enter in a field and declined by keyboard', async () => {
    const card = await askCard(form);
    page.getByLabelText('Count').element().focus();
    await userEvent.keyboard('5{Enter}');
    await expect.element(page.getByLabelText('Region')).toHaveFocus();
    button('Decline…').element().focus();
    await userEvent.keyboard('{Enter}');
    await userEvent.keyboard('Not mine{Enter}');
    await expect.element(page.getByText('Declined')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'denied', reason: 'Not mine' });
  });
});
