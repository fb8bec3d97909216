/** A plan to review. A bug here starts work on a plan that no one read, or runs its content. */
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { loadMarkdown } from '../../../src/web/markdown/markdown.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard } from './ask-card.tsx';

const plan = (text: string) => ({ kind: 'plan_review', toolName: 'ExitPlanMode', plan: text });
const button = (name: string) => page.getByRole('button', { name, exact: true });
await loadMarkdown();

describe('a card for a plan', () => {
  it('[UI-3] shows the plan and four decisions with their effects, and sends the chosen one', async () => {
    const card = await askCard(plan('# Move\n\n1. Look\n2. **Leap**'));
    await expect.element(page.getByRole('heading', { name: 'Move' })).toBeVisible();
    expect(page.getByRole('radio').elements()).toHaveLength(4);
    await expect.element(page.getByText(/keeps nothing but this plan and asks/)).toBeVisible();
    await expect.element(button('Approve the plan')).toBeDisabled();
    expect(await axeProblems(card.element)).toEqual([]);
    await page.getByRole('radio', { name: /fresh context/ }).click();
    await expect.element(button('Approve the plan')).toBeDisabled();
    await card.arm();
    await button('Approve the plan').click();
    await expect.element(page.getByText('by you')).toBeVisible();
    await expect.element(page.getByText('Approve with a fresh context')).toBeVisible();
    expect((await card.now()).decision).toMatchObject({ clearContext: true, targetMode: 'edit' });
    expect(await axeProblems(card.element)).toEqual([]);
  });

  it('[UI-3, PLN-3] sends it back with feedback, by keyboard alone', async () => {
    const card = await askCard(plan('Leap'));
    card.element.querySelector<HTMLElement>('.card')?.focus();
    await userEvent.keyboard('4');
    await page.getByLabelText('What should change?').fill('Look first');
    expect(await axeProblems(card.element)).toEqual([]);
    await button('Send feedback').click();
    await expect.element(page.getByText('Changes requested')).toBeVisible();
    expect(await card.now()).toMatchObject({ outcome: 'denied', reason: 'Look first' });
  });

  it('[UI-3] asks for feedback when a person pressed adjust elsewhere', async () => {
    const card = await askCard(plan('Leap'));
    await card.server.person.reviewPlan(card.sessionId, 'call-1~1', 'adjust');
    await card.show();
    await expect.element(page.getByLabelText('What should change?')).toBeVisible();
    await expect.element(page.getByRole('radio', { name: /Request changes/ })).toBeChecked();
  });

  it('[UI-3] folds a long plan and requires reading it before approval, not before sending it back', async () => {
    const card = await askCard(plan(`${'x'.repeat(100 * 1024)} and then rm -rf /`));
    await card.arm();
    await page.getByRole('radio', { name: /and ask/ }).click();
    await expect.element(button('Approve the plan')).toBeDisabled();
    await page.getByRole('radio', { name: /Request changes/ }).click();
    await expect.element(button('Send feedback')).toBeEnabled();
    await page.getByRole('radio', { name: /and ask/ }).click();
    await page.getByRole('button', { name: 'Show all 100 KB' }).click();
    // The end is far below.
    await expect.element(button('Approve the plan')).toBeDisabled();
    // The actions stay in sight, so scrolling to them leads nowhere.
    window.scrollTo(0, document.documentElement.scrollHeight);
    await card.arm();
    await expect.element(button('Approve the plan')).toBeEnabled();
    expect(card.element.textContent).toContain('and then rm -rf /');
    expect(card.element.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth);
  });

  it('[UI-11] shows a hostile plan harmlessly: no script, no beacon, no reordered words', async () => {
    const card = await askCard(
      plan(
        '<script>window.pwned=1</script> ![b](https://evil.example/b.png) ' +
          '[click](javascript:alert(1)) <img src=x onerror="window.pwned=1"> safe \u202Eelif\u202C ' +
          '<iframe srcdoc="x"></iframe><form action="https://evil.example"><input></form>',
      ),
    );
    const { element } = card;
    expect(element.querySelectorAll('script, img, iframe, form, [onerror]')).toHaveLength(0);
    expect(element.querySelector('a[href^="javascript"]')).toBeNull();
    expect(element.textContent).not.toMatch(/[\u202A-\u202E]/u);
    expect(Reflect.get(window, 'pwned')).toBeUndefined();
    const asked = performance.getEntriesByType('resource').map(({ name }) => name);
    expect(asked.some((name) => name.includes('evil.example'))).toBe(false);
    expect(await axeProblems(element)).toEqual([]);
  });

  it('[VIEW-4] lists its headings, and takes comments on its blocks', async () => {
    const text = '# One\n\nLook first.\n\n## Two\n\n- Leap\n- Land\n\n## Three\n\nRest.';
    const card = await askCard(plan(text));
    await page.getByText('3 headings').click();
    await page.getByRole('button', { name: 'Two', exact: true }).click();
    await expect.element(page.getByRole('heading', { name: 'Two' })).toHaveFocus();
    await button('Comment on “Leap”').click();
    await userEvent.keyboard('How far?');
    expect(await axeProblems(card.element)).toEqual([]);
    await button('Save the comment').click();
    await expect.element(page.getByRole('radio', { name: /Request changes/ })).toBeChecked();
    await card.reload();
    await expect.element(page.getByText('How far?')).toBeVisible();
    await button('Edit the comment').click();
    await userEvent.keyboard('{Control>}a{/Control}How high?{Control>}{Enter}{/Control}');
    await expect.element(page.getByText('How high?')).toBeVisible();
    await page.getByRole('radio', { name: /and ask/ }).click();
    await expect.element(page.getByText(/only if you request changes/)).toBeVisible();
    await page.getByRole('radio', { name: /Request changes/ }).click();
    expect(await axeProblems(card.element)).toEqual([]);
    await page.getByLabelText('What should change?').fill('The rest is fine.');
    await button('Send feedback').click();
    await expect.element(page.getByText('Changes requested')).toBeVisible();
    expect((await card.now()).reason).toBe('> Line 7: Leap\nHow high?\n\nThe rest is fine.');
  });
});
