/**
 * The card of an input that is not shown whole. A bug here looks like an approval of what the person could not know to be
 * missing, or like a write that no one can approve.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard } from './ask-card.tsx';
import { inLongRun } from '../../support/run-length.ts';

const around = `${'x'.repeat(99)}\n`.repeat(1_500);
const INPUT = { file_path: 'a.txt', content: `${around}rm -rf /${around}` };
const ask = (more: object = {}) =>
  askCard({ kind: 'approval', toolName: 'Write', input: INPUT, allowEdit: true, ...more });
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const reading = (name: RegExp) => page.getByRole('radio', { name });

/** Unfolds the view and scrolls through it. */
async function readView(card: Awaited<ReturnType<typeof ask>>): Promise<void> {
  await page.getByRole('button', { name: /^Show all/ }).click();
  const shown = card.element.querySelector('.input-view');
  if (shown === null) throw new Error('There is no view');
  const step = window.innerHeight / 2;
  for (let top = 0; top <= shown.getBoundingClientRect().height + step; top += step) {
    window.scrollTo(0, window.scrollY + (top === 0 ? 0 : step));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await card.arm();
}

describe('the card of a large input', () => {
  it('[UI-16] says how much is missing, offers all of it as a file and no edit', async () => {
    const card = await ask();
    await expect
      .element(page.getByText(/[\d,]+ characters of it are not shown here/))
      .toBeVisible();
    await expect.element(button(/^Download all of it \(\d+ KB\)$/)).toBeVisible();
    expect(button('Edit').query()).toBeNull();
    await expect.element(reading(/read all of it/)).not.toBeChecked();
    await expect.element(reading(/without reading/)).not.toBeChecked();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-16] saves the whole input', async () => {
    const card = await ask();
    const saved: Blob[] = [];
    const real = URL.createObjectURL;
    onTestFinished(() => {
      URL.createObjectURL = real;
    });
    URL.createObjectURL = (blob) => {
      saved.push(blob as Blob);
      return real(blob);
    };
    const clicks: string[] = [];
    const stop = (event: MouseEvent) => {
      if (!(event.target instanceof HTMLAnchorElement)) return;
      clicks.push(event.target.download);
      event.preventDefault();
    };
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function () {
      this.addEventListener('click', stop);
      click.call(this);
    };
    onTestFinished(() => {
      HTMLAnchorElement.prototype.click = click;
    });
    await button(/^Download all of it/).click();
    await expect.poll(() => clicks).toEqual(['call-1-1.json']);
    expect(JSON.parse((await saved[0]?.text()) ?? '')).toEqual(INPUT);
    expect((await card.now()).status).toBe('open');
  });

  inLongRun(() => {
    it('[UI-16] shows the whole input in pages, and closes it', async () => {
      const card = await ask();
      await button('Read all of it here').click();
      const pages = page.getByRole('group', { name: 'All of the input of Write' });
      await expect.element(pages).toBeVisible();
      await expect.element(button('Previous page')).toBeDisabled();
      const seen: string[] = [];
      for (let at = 1; ; at += 1) {
        await expect.element(page.getByText(new RegExp(`^Page ${at} of `))).toBeVisible();
        seen.push(
          ...[...pages.element().querySelectorAll('pre')].map(({ textContent }) => textContent),
        );
        const next = button('Next page');
        if (next.element().hasAttribute('disabled')) break;
        await next.click();
      }
      expect(seen.length).toBeGreaterThan(4);
      const [first, ...others] = [INPUT.content, INPUT.file_path];
      expect(seen.join('')).toBe([first, ...others].join(''));
      expect(seen.some((text) => text.includes('rm -rf /'))).toBe(true);
      expect(await axeProblems(card.element)).toEqual([]);
      await button('Close').click();
      expect(pages.query()).toBeNull();
      expect((await card.now()).status).toBe('open');
    });
  });

  it('[UI-16, UI-2] approves after the view was seen and the person said what was read', async () => {
    const card = await ask();
    await card.arm();
    await expect.element(button('Approve')).toBeDisabled();
    await readView(card);
    await button('Approve').click();
    await expect.element(page.getByText('Say what you have read, then approve.')).toBeVisible();
    await expect.element(reading(/read all of it/)).toHaveFocus();
    expect((await card.now()).status).toBe('open');
    await reading(/without reading/).click();
    await card.arm();
    await button('Approve').click();
    await expect.element(page.getByText('Approved', { exact: true })).toBeVisible();
    expect((await card.now()).decision).toMatchObject({ decision: 'approve', read: 'part' });
    await card.reload();
    await expect.element(page.getByText(/It was approved without reading all of it/)).toBeVisible();
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-16] denies without any of that', async () => {
    const card = await ask();
    await button('Deny…').click();
    await button('Deny').click();
    await expect.element(page.getByText('Denied', { exact: true })).toBeVisible();
    expect((await card.now()).outcome).toBe('denied');
  });

  inLongRun(() => {
    it('[UI-16, APR-6] says what was read with a choice of the agent', async () => {
      const choices = [{ id: 'go', label: 'Write it', decision: 'approve' }];
      const card = await ask({ choices, allowEdit: undefined });
      await readView(card);
      await reading(/read all of it/).click();
      await card.arm();
      await page.getByRole('button', { name: /^Write it/ }).click();
      await expect.element(page.getByText('Approved', { exact: true })).toBeVisible();
      expect((await card.now()).decision).toMatchObject({ choice: 'go', read: 'whole' });
    });
  });
});
