/** Sheets in a narrow window. A bug here puts their buttons out of reach of a thumb, or off the screen. */
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { Sheet } from '../../src/web/ui/sheet.tsx';
import { mount } from '../support/web/mount.ts';

afterEach(() => document.documentElement.removeAttribute('dir'));

async function shownSheet(): Promise<HTMLDialogElement> {
  await expect.poll(() => document.querySelector('dialog')?.open).toBe(true);
  const sheet = document.querySelector('dialog');
  if (sheet === null) throw new Error('No sheet');
  for (const animation of sheet.getAnimations()) animation.finish();
  return sheet;
}

const LINES = Array.from({ length: 80 }, (_, at) => <p key={at}>Line {at}</p>);

it.each(['left', 'right', 'middle'] as const)(
  '[UI-20] a sheet %s stands at the bottom of a phone, and scrolls by itself',
  async (side) => {
    await page.viewport(390, 844);
    mount(
      <Sheet title="Much" side={side} onClose={() => {}}>
        {LINES}
      </Sheet>,
    );
    const sheet = await shownSheet();
    const { top, bottom, left, width } = sheet.getBoundingClientRect();
    expect([left, width, bottom]).toEqual([0, 390, 844]);
    expect(top).toBeGreaterThan(40);
    expect(sheet.scrollHeight).toBeGreaterThan(sheet.clientHeight);
    sheet.scrollTo(0, 500);
    const close = sheet.querySelector('button')?.getBoundingClientRect();
    expect(close?.top).toBeGreaterThanOrEqual(top);
    expect(close?.height).toBeGreaterThanOrEqual(44);
  },
);

it.each([
  ['ltr', 'right', 1280],
  ['rtl', 'right', 0],
  ['ltr', 'left', 0],
  ['rtl', 'left', 1280],
] as const)('[UI-20] written %s, a sheet %s is at its edge', async (direction, side, edge) => {
  await page.viewport(1280, 800);
  document.documentElement.dir = direction;
  mount(
    <Sheet title="One" side={side} onClose={() => {}}>
      <p>Text</p>
    </Sheet>,
  );
  const { left, right } = (await shownSheet()).getBoundingClientRect();
  expect(edge === 0 ? left : right).toBe(edge);
});
