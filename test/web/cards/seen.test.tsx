/** Approved content was on the screen. A bug here allows approval of a command that is above the window. */
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadMarkdown } from '../../../src/web/markdown/markdown.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard, type ShownCard } from './ask-card.tsx';
import { inLongRun } from '../../support/run-length.ts';

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at}`).join('\n');
const LONG = {
  kind: 'approval',
  input: { old_string: LINES, new_string: LINES, why: LINES, how: LINES, when: LINES },
};
const COLUMNS = Array.from({ length: 14 }, (_, at) => `Column${at}`);
const row = (cells: readonly string[]) => `|${cells.join('|')}|`;
const WIDE = `# Move\n\nRead this first, all of it, to its very end.\n\n${row(COLUMNS)}\n${row(
  COLUMNS.map(() => '---'),
)}\n${row(COLUMNS.map(() => 'somewhat lengthy'))}\n`;
const plan = (text: string) => ({ kind: 'plan_review', toolName: 'ExitPlanMode', plan: text });
const approve = () => page.getByRole('button', { name: /^Approve/ });
const press = () => (approve().element() as HTMLElement).click();
const hint = () => page.getByRole('button', { name: /^Review the full/ });
const settled = () => new Promise((done) => setTimeout(done, 120));

/** A press at the position of the button; the page decides whether it counts. */
async function pressed(card: ShownCard): Promise<string> {
  press();
  await settled();
  return (await card.now()).status;
}

async function pass(card: ShownCard): Promise<void> {
  for (let times = 0; times < 7; times += 1) {
    await settled();
    card.clock.advance(600);
  }
}

await loadMarkdown();
beforeEach(() => page.viewport(390, 500));

describe('approved content was seen', () => {
  it('[UI-2] waits until the input was read to its end, however long that takes', async () => {
    const card = await askCard(LONG);
    await pass(card);
    expect(await pressed(card)).toBe('open');
    await expect.element(approve()).toHaveAttribute('aria-disabled', 'true');
    await expect.element(approve()).toHaveAccessibleDescription(/Review the full input/);
    expect(await axeProblems(card.element)).toEqual([]);
    approve().element().scrollIntoView();
    await card.arm();
    expect(hint().query()).toBeNull();
    expect(await pressed(card)).toBe('settled');
  });

  inLongRun(() => {
    it('[UI-2] is not fooled by a card that enters the window at its end', async () => {
      const card = await askCard(LONG);
      document.scrollingElement?.scrollTo(0, 10_000);
      await pass(card);
      expect(await pressed(card)).toBe('open');
      // The press scrolls to the beginning, and reading starts there.
      const top = () =>
        card.element.querySelector('.input-view')?.getBoundingClientRect().top ?? -1;
      await expect.poll(top).toBeGreaterThan(0);
      expect(top()).toBeLessThan(innerHeight);
      document.scrollingElement?.scrollTo(0, 10_000);
      await card.arm();
      expect(await pressed(card)).toBe('settled');
    });
  });

  inLongRun(() => {
    it('[UI-2, UI-6] leads on with the keyboard, and a held key approves nothing', async () => {
      const card = await askCard(LONG);
      approve().element().focus();
      document.scrollingElement?.scrollTo(0, 0);
      await pass(card);
      const pages: number[] = [];
      for (let times = 0; times < 6 && hint().query() !== null; times += 1) {
        await userEvent.keyboard('{Enter}');
        await settled();
        pages.push(scrollY);
      }
      expect(pages).toEqual(pages.toSorted((one, other) => one - other));
      expect(hint().query()).toBeNull();
      expect((await card.now()).status).toBe('open');
      await card.arm();
      approve().element().focus();
      await userEvent.keyboard('{Enter>3}');
      await expect.poll(async () => (await card.now()).outcome).toBe('approved');
    });
  });

  inLongRun(() => {
    it('[UI-2] looks active while arming, and muted while something is unseen', async () => {
      const card = await askCard(LONG);
      await settled();
      const color = () => {
        for (const animation of document.getAnimations()) animation.finish();
        return getComputedStyle(approve().element()).backgroundColor;
      };
      const muted = color();
      approve().element().scrollIntoView();
      await expect.poll(() => hint().query()).toBeNull();
      await settled();
      const arming = color();
      await expect.element(approve()).toBeDisabled();
      await card.arm();
      await expect.element(approve()).toBeEnabled();
      expect(color()).toBe(arming);
      expect(arming).not.toBe(muted);
    });
  });

  inLongRun(() => {
    it('[UI-3] clips nothing, breaks no word of a table, and requires seeing its far side', async () => {
      const card = await askCard(plan(WIDE));
      const box = card.element.querySelector<HTMLElement>('.scroll');
      const text = card.element.querySelector('.plan-text');
      if (box === null || text === null) throw new Error('There is no table');
      const edge = card.element.querySelector('.card')?.getBoundingClientRect().right ?? 0;
      expect(text.getBoundingClientRect().right).toBeLessThan(edge);
      expect(box.scrollWidth).toBeGreaterThan(box.clientWidth);
      const cell = box.querySelector('td');
      expect(cell?.getBoundingClientRect().height).toBeLessThan(60);
      await page.getByRole('radio', { name: /and ask/ }).click();
      await pass(card);
      expect(await pressed(card)).toBe('open');
      box.scrollTo({ left: box.scrollWidth });
      await card.arm();
      expect(await pressed(card)).toBe('settled');
    });
  });

  inLongRun(() => {
    it('[UI-3] never counts clipped content as seen', async () => {
      const style = document.createElement('style');
      style.textContent = '.plan { width: 700px } .card { overflow: clip }';
      document.head.append(style);
      try {
        const card = await askCard(plan('Leap'));
        await page.getByRole('radio', { name: /and ask/ }).click();
        approve().element().scrollIntoView();
        await pass(card);
        expect(await pressed(card)).toBe('open');
        await expect.element(hint()).toBeVisible();
      } finally {
        style.remove();
      }
    });
  });

  inLongRun(() => {
    it('[UI-3] leads to unseen content by Enter on the card, and not before sending back', async () => {
      const card = await askCard(plan(`# Long\n\n${LINES.replaceAll('\n', '\n\n')}\n\n${WIDE}`));
      card.element.querySelector<HTMLElement>('.card')?.focus();
      await pass(card);
      await userEvent.keyboard('3{Enter}');
      await settled();
      expect((await card.now()).status).toBe('open');
      await userEvent.keyboard('4');
      await page.getByLabelText('What should change?').fill('All of it');
      await page.getByRole('button', { name: 'Send feedback' }).click();
      await expect.poll(async () => (await card.now()).outcome).toBe('denied');
    });
  });
});
