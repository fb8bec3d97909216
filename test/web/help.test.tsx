/** The sheet with keys and marks. A bug here opens it while a person writes a question mark. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { startHelp } from '../../src/web/help/start-help.tsx';
import { axeProblems } from '../support/web/axe.ts';
import { mount } from '../support/web/mount.ts';

const sheet = () => page.getByRole('dialog', { name: 'Help' });
let stop = () => {};

beforeEach(() => {
  stop = startHelp();
  mount(
    <main>
      <h1>Page</h1>
      <button type="button" data-help>
        Open it
      </button>
      <input aria-label="A field" />
    </main>,
  );
});
afterEach(() => stop());

it('[UI-19] opens by its key and closes with Esc, again and again', async () => {
  for (let round = 0; round < 2; round += 1) {
    await userEvent.keyboard('?');
    await expect.element(sheet()).toBeVisible();
    await userEvent.keyboard('?');
    expect(document.querySelectorAll('dialog')).toHaveLength(1);
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => document.querySelector('dialog')).toBeNull();
  }
});

it('[UI-19] is a question mark in a field', async () => {
  await page.getByLabelText('A field').fill('');
  await userEvent.type(page.getByLabelText('A field'), '?');
  expect(document.querySelector('dialog')).toBeNull();
  expect(document.querySelector('input')?.value).toBe('?');
});

it.each([1280, 320])('[UI-10, UI-19] fits %d pixels, without violations', async (width) => {
  await page.viewport(width, 800);
  await page.getByRole('button', { name: 'Open it' }).click();
  await expect.element(page.getByRole('heading', { name: 'What the marks mean' })).toBeVisible();
  const dialog = document.querySelector('dialog');
  expect(dialog?.scrollWidth).toBeLessThanOrEqual(width);
  expect(await axeProblems(dialog ?? document.body)).toEqual([]);
});
