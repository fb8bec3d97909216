/** An input is edited by its fields, and what is approved is what the person saw of their change. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard } from './ask-card.tsx';

const button = (name: string | RegExp) => page.getByRole('button', { name });
const INPUT = {
  title: 'Invitation',
  body: 'Dear all,\n\nwe meet on Thurzday.\n',
  copies: 3,
  isUrgent: false,
  color: 'red',
  to: [{ name: 'Ada' }],
};
const SCHEMA = {
  type: 'object',
  properties: { color: { type: 'string', enum: ['red', 'green'] } },
};
const ask = () =>
  askCard({
    kind: 'approval',
    toolName: 'mcp__mail__send',
    input: INPUT,
    allowEdit: true,
    inputSchema: SCHEMA,
  });

it('[VIEW-3] has a field for each kind of value, and shows what changes', async () => {
  const card = await ask();
  await card.arm();
  await button('Edit').click();
  await expect.element(page.getByText('Nothing is changed yet.')).toBeVisible();
  const body = page.getByLabelText('body');
  await expect.element(body).toHaveValue(INPUT.body);
  await body.fill(INPUT.body.replace('Thurzday', 'Thursday'));
  const changes = page.getByRole('region', { name: 'Your changes' });
  await expect.element(changes.getByText('Thursday')).toBeVisible();
  await page.getByLabelText('isUrgent').click();
  await page.getByLabelText('color').selectOptions('green');
  await page.getByLabelText('to as JSON').fill('[{"name": "Bo"}]');
  expect(await axeProblems(card.element)).toEqual([]);
  const copies = page.getByLabelText('copies');
  await copies.fill('many');
  await expect.element(page.getByText('Type a number.')).toBeVisible();
  await expect.element(button('Approve with changes')).toBeDisabled();
  await copies.fill('2');
  expect(changes.element().querySelectorAll('.diff')).toHaveLength(5);
  await card.arm();
  await button('Approve with changes').click();
  await expect.element(page.getByText('Approved with edits')).toBeVisible();
  expect((await card.now()).updatedInput).toEqual({
    ...INPUT,
    body: 'Dear all,\n\nwe meet on Thursday.\n',
    copies: 2,
    isUrgent: true,
    color: 'green',
    to: [{ name: 'Bo' }],
  });
});

it('[VIEW-3] keeps the draft over a reload, as fields and as JSON', async () => {
  const card = await ask();
  await card.arm();
  await button('Edit').click();
  await page.getByLabelText('title').fill('Another');
  await card.reload();
  await card.arm();
  await button('Edit').click();
  await expect.element(page.getByLabelText('title')).toHaveValue('Another');
  await button('Edit as JSON').click();
  await page.getByLabelText('Edit input (JSON)').fill('{"title": ');
  await card.reload();
  await card.arm();
  await button('Edit').click();
  await expect.element(page.getByLabelText('Edit input (JSON)')).toHaveValue('{"title": ');
  await expect.element(button('Edit by field')).toBeDisabled();
  await expect.element(button('Approve with changes')).toBeDisabled();
});
