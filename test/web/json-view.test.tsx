/** The input of a tool as a person reads it: exact, complete on request, and never interpreted. */
import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { JsonView } from '../../src/web/ui/json-view.tsx';
import { axeProblems } from '../support/web/axe.ts';
import { mount } from '../support/web/mount.ts';

const HOSTILE = {
  command: 'echo safe \u202E;fr- mr\u202C # \u200B<script>window.pwned = 1</script>',
  html: '<img src="https://evil.example/beacon.png" onerror="window.pwned = 1">',
  tagged: 'hello\u{E0041}\u{E0042}',
};

it('[UI-11] shows hostile input as literal text, with invisible characters escaped', async () => {
  const { element } = mount(<JsonView value={HOSTILE} label="Input of Bash" />);
  expect(element.querySelectorAll('script, img')).toHaveLength(0);
  const text = element.textContent;
  expect(text).toContain(String.raw`\u202E;fr- mr\u202C # \u200B<script>`);
  expect(text).toContain(String.raw`hello\u{E0041}\u{E0042}`);
  expect(text).not.toMatch(/[\u202A-\u202E\u200B\u{E0000}-\u{E007F}]/u);
  expect(Reflect.get(window, 'pwned')).toBeUndefined();
  expect(await axeProblems(element)).toEqual([]);
});

it('[UI-2] has the raw JSON one click away, and says so', async () => {
  mount(<JsonView value={{ command: 'ls', depth: 2 }} label="Input of Bash" />);
  await expect.element(page.getByText('depth')).toBeVisible();
  await page.getByRole('button', { name: 'Show raw JSON' }).click();
  await expect.element(page.getByText('"depth": 2')).toBeVisible();
});

it('[UI-2] folds a line of 100 KB, shows its size, and reports when it is unfolded', async () => {
  const onWhole = vi.fn<() => void>();
  const line = 'x'.repeat(100 * 1024);
  const { element } = mount(
    <JsonView value={{ line, end: 'rm -rf /' }} label="Input of Bash" onWhole={onWhole} />,
  );
  expect(element.textContent.length).toBeLessThan(4_000);
  expect(onWhole).not.toHaveBeenCalled();
  await page.getByRole('button', { name: 'Show all 100 KB' }).click();
  expect(onWhole).toHaveBeenCalledOnce();
  expect(element.textContent).toContain(line);
  expect(element.scrollWidth).toBeLessThanOrEqual(document.documentElement.clientWidth);
  expect(await axeProblems(element)).toEqual([]);
});
