/** A link. A bug here opens an address that no person chose, or shows another one than it opens. */
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard } from './ask-card.tsx';

const link = {
  kind: 'link',
  toolName: 'mcp__drive',
  title: 'Sign in to Drive',
  message: 'Enter the code AB-12',
  url: 'https://аррӏе.com/device?code=AB-12',
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const anchorIn = (element: HTMLElement) =>
  element.querySelector<HTMLAnchorElement>('a[target=_blank]');

/** Notes the presses that the browser would follow, and follows none. */
function watchOpening(element: HTMLElement): string[] {
  const opened: string[] = [];
  element.addEventListener('click', (event) => {
    const anchor = event.target instanceof Element ? event.target.closest('a') : null;
    if (anchor === null || event.defaultPrevented) return;
    event.preventDefault();
    opened.push(anchor.href);
  });
  return opened;
}

describe('a card for a link', () => {
  it('[LNK-3] shows host and address, and opens nothing before a press that counts', async () => {
    const card = await askCard(link);
    const opened = watchOpening(card.element);
    await expect.element(page.getByText('Sign in to Drive')).toBeVisible();
    await expect.element(page.getByText('xn--80ak6aa92e.com', { exact: true })).toBeVisible();
    await expect.element(page.getByText(/letters of another alphabet/)).toBeVisible();
    const anchor = anchorIn(card.element);
    expect(anchor?.rel).toBe('noopener noreferrer');
    expect(anchor?.href).toBe('https://xn--80ak6aa92e.com/device?code=AB-12');
    expect(await axeProblems(card.element)).toEqual([]);
    anchor?.click();
    expect(opened).toEqual([]);
    expect((await card.now()).status).toBe('open');
    await card.arm();
    anchorIn(card.element)?.click();
    expect(opened).toEqual(['https://xn--80ak6aa92e.com/device?code=AB-12']);
    await expect.element(page.getByText('by you')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'answered' });
    expect(anchorIn(card.element)).toBeNull();
  });

  it('[LNK-2, LNK-3] stays open where the agent waits, until a person says that it is done', async () => {
    const card = await askCard({ ...link, awaitCompletion: true });
    const opened = watchOpening(card.element);
    await card.arm();
    anchorIn(card.element)?.click();
    await expect.element(page.getByText(/The agent says when it is finished/)).toBeVisible();
    expect(await card.now()).toMatchObject({ status: 'open', linkOpened: true });
    expect(await axeProblems(card.element)).toEqual([]);
    await card.reload();
    await expect.element(page.getByText(/The agent says when it is finished/)).toBeVisible();
    await button('It is done').click();
    await expect.element(page.getByText('by you')).toBeVisible();
    expect(opened).toHaveLength(1);
  });

  it('[LNK-3, UI-12] is text without the right to answer', async () => {
    const card = await askCard(link, { canAnswer: false });
    await expect.element(page.getByText('xn--80ak6aa92e.com', { exact: true })).toBeVisible();
    expect(card.element.querySelector('a')).toBeNull();
  });

  it('[LNK-2, INT-15] is declined with a reason', async () => {
    const card = await askCard(link);
    await button('Decline…').click();
    await page.getByRole('textbox').fill('Phishing');
    await button('Decline').click();
    await expect.element(page.getByText('Phishing')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'denied', reason: 'Phishing' });
  });

  it('[LNK-3] of a hostile server has no anchor', async () => {
    const card = await askCard(link);
    const { request, ...record } = await card.now();
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'https://u:p@a.example/']) {
      await card.show({ ...record, request: { ...request, url } });
      expect(anchorIn(card.element)).toBeNull();
    }
  });
});
