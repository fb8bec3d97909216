/** Comments on the lines of a diff. A bug here is a comment on another line, or one that the agent never gets. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DiffLine } from '../../../src/display/diff-lines.ts';
import { listLines, MAX_LISTED_LINES } from '../../../src/web/cards/input/line-comment-sheet.tsx';
import { lineCommentOf } from '../../../src/web/model/cards/plan-comments.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { askCard } from './ask-card.tsx';

const PATCH = `*** Begin Patch
*** Update File: src/limits.ts
@@ -7,2 +7,2 @@
-  requestsPerMinute: 60,
+  requestsPerMinute: 600,
   burst: 10,
*** End Patch`;
const EDIT = {
  kind: 'approval',
  toolName: 'Edit',
  input: {
    file_path: 'src/limits.ts',
    old_string: 'limit = 60\nburst',
    new_string: 'limit = 600\nburst',
  },
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const reason = () => page.getByRole('textbox', { name: /^Reason/ });

it('[VIEW-4] are written at a number or from a list, and become the reason of the denial', async () => {
  const card = await askCard(EDIT);
  const numbers = () => [...card.element.querySelectorAll<HTMLElement>('.line.new .number.now')];
  await expect.poll(numbers).toHaveLength(1);
  await userEvent.click(numbers()[0] as HTMLElement);
  const sheet = page.getByRole('dialog', { name: 'Comment on a line' });
  await expect
    .element(sheet.getByRole('combobox', { name: 'Line' }))
    .toHaveTextContent('limit = 600');
  await expect.element(sheet.getByRole('textbox')).toHaveFocus();
  expect(await axeProblems(card.element)).toEqual([]);
  await userEvent.keyboard('Ten times as many?');
  await button('Add to the reason').click();
  const first = '> src/limits.ts: limit = 600\nTen times as many?';
  await expect.element(reason()).toHaveValue(first);
  await button('Comment on a line…').click();
  await sheet.getByRole('combobox', { name: 'Line' }).selectOptions('burst');
  await sheet.getByRole('textbox').fill('And this?');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  const both = `${first}\n\n> src/limits.ts: burst\nAnd this?`;
  await expect.element(reason()).toHaveValue(both);
  await card.reload();
  await expect.element(reason()).toHaveValue(both);
  await button('Deny').click();
  await expect.poll(async () => (await card.now()).reason).toBe(both);
});

it('[VIEW-4] are about the pressed line also where the list has no room for all of them', () => {
  const lines = Array.from({ length: 5_000 }, (_, n): DiffLine => {
    const mark = n % 2 === 0 ? 'new' : 'same';
    return { mark, text: `line ${n}`, now: n + 1 };
  });
  const part = { hunks: [{ lines, isNumbered: true }] };
  for (const pressed of [lines[0], lines[1], lines[2_501], lines[4_998], lines[4_999]]) {
    const { listed, isPart } = listLines(part, pressed);
    expect(listed.map(({ line }) => line)).toContain(pressed);
    expect([listed.length, isPart]).toEqual([MAX_LISTED_LINES, true]);
  }
  expect(listLines(part).listed[0]?.line).toBe(lines[0]);
  const few = { hunks: [{ lines: lines.slice(0, 10), isNumbered: true }] };
  expect(listLines(few)).toMatchObject({ listed: { length: 10 }, isPart: false });
});

it('[VIEW-4] add nothing that the reason has no room for', async () => {
  await askCard(EDIT);
  await button('Comment on a line…').click();
  const sheet = page.getByRole('dialog', { name: 'Comment on a line' });
  await sheet.getByRole('textbox').fill('x'.repeat(2_000));
  await expect
    .element(sheet.getByText('The reason of a denial has no room for this.'))
    .toBeVisible();
  await expect.element(button('Add to the reason')).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
  expect(reason().query()).toBeNull();
});

it('[VIEW-4] quote path and line, and say which lines are removed', async () => {
  const comment = { path: 'a.ts', number: 7, isRemoved: true, quote: ' x ', text: ' Why? ' };
  expect(lineCommentOf(comment)).toBe('> a.ts:7 (removed line): x\nWhy?');
  const bare = { ...comment, path: undefined, number: undefined, isRemoved: false };
  expect(lineCommentOf(bare)).toBe('> x\nWhy?');
  const card = await askCard({
    kind: 'approval',
    toolName: 'apply_patch',
    input: { patch: PATCH },
  });
  await expect.poll(() => card.element.querySelector('.line.new')).not.toBeNull();
  await expect.element(button('Comment on a line…')).toBeVisible();
});
