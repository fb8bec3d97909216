/**
 * Checks for any screen: no axe findings in light or dark, no horizontal overflow, and a chat exactly as high as its
 * window.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { Person } from './person.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails with the name and position of each problem. */
export async function checkPage({ page }: Person, state: string): Promise<void> {
  await bringAxe(page);
  const problems: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    problems.push(...(await page.evaluate(runAxe)).map((problem) => `${colorScheme}: ${problem}`));
  }
  await page.emulateMedia({ colorScheme: null });
  const { right, below } = await page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
    // The inbox page scrolls; the chat scrolls in panes.
    const isChat = document.querySelector('.chat') !== null;
    return { right: scrollWidth - clientWidth, below: isChat ? scrollHeight - innerHeight : 0 };
  });
  problems.push(...(await page.evaluate(cutOffInCards)));
  if (right > 0) problems.push(`${right} pixels are beyond the right edge`);
  if (below > 0) problems.push(`${below} pixels are below the window`);
  expect(problems, state).toEqual([]);
}

/** As a language that is written from right to left does it; the words stay. */
export async function turnsAround({ page }: Person): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
  });
}

/** A card clips wider content without a sign of it. */
function cutOffInCards(): string[] {
  const cards = [...document.querySelectorAll('.card')];
  return cards.flatMap((card) => {
    const { left, right } = card.getBoundingClientRect();
    const isInScroller = (one: Element) =>
      one.parentElement?.closest('.scroll, .preview, pre') !== null;
    const beyond = [...card.querySelectorAll('*')].filter((one) => {
      const box = one.getBoundingClientRect();
      // A dialog stands above the page, and not within its card.
      if (one.closest('dialog') !== null) return false;
      return box.width > 1 && (box.right > right + 1 || box.left < left - 1) && !isInScroller(one);
    });
    return beyond.slice(0, 3).map((one) => `cut off by its card: ${one.outerHTML.slice(0, 160)}`);
  });
}

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

/** Through the debugger: the content security policy blocks injected scripts and must not be loosened. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => window.axe !== undefined)) return;
  const debug = await page.context().newCDPSession(page);
  // The session stays attached: detaching it ends emulations of other sessions, such as a lost network.
  await debug.send('Runtime.evaluate', { expression: `${AXE};0` });
}

async function runAxe(): Promise<string[]> {
  // In the middle of an animation, a color is not a designed one.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  if (window.axe === undefined) throw new Error('axe is not there');
  const { violations } = await window.axe.run();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id} at ${html.slice(0, 200)} ${any[0]?.message ?? ''}`),
  );
}
