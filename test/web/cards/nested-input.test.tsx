/**
 * An input of any depth can be read at any width, and then approved.
 *
 * A bug looks like a value in a box of width 0: the card never counts it as seen, and Approve stays blocked.
 */
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { JsonObject } from '../../../src/protocol/types.ts';
import { axeProblems } from '../../support/web/axe.ts';
import { inLongRun } from '../../support/run-length.ts';
import { askCard } from './ask-card.tsx';

const NOTION = {
  database: 'Customers',
  filter: { and: [{ property: 'Plan', select: { equals: 'DELETE-ME' } }] },
};
const LIST = {
  rows: [
    { id: 1, name: 'Ada', address: { city: 'London', zip: null } },
    { id: 2, name: 'Mia', address: { city: 'Gent', zip: '9000' } },
  ],
};
const nestedIn = (value: unknown, depth: number): JsonObject =>
  Object.fromEntries([['level', depth === 0 ? value : nestedIn(value, depth - 1)]]) as JsonObject;
type Example = readonly [what: string, input: JsonObject];
const FEW: readonly Example[] = [
  ['four levels', { a: { b: { c: { d: 'DELETE-ME' } } } }],
  ['a filter of Notion', NOTION],
  ['a list of objects', LIST],
];
const MORE: readonly Example[] = [
  ['twelve levels', nestedIn('DELETE-ME', 12)],
  ['a long word in the fourth level', { a: { b: { c: { d: 'x'.repeat(900) } } } }],
  ['long names', { a: { ['name'.repeat(40)]: { ['n'.repeat(200)]: 'value' } } }],
  ['900 enclosing marks', { mark: '\u20DD'.repeat(900), in: { deeper: '\u20DD'.repeat(900) } }],
];

const review = () => page.getByRole('button', { name: /^Review the full/ });
const press = () =>
  (page.getByRole('button', { name: /^Approve/ }).element() as HTMLElement).click();
const moment = () => new Promise((done) => setTimeout(done, 60));
const read = async (card: Awaited<ReturnType<typeof askCard>>) => {
  for (let presses = 0; presses < 40; presses += 1) {
    await card.arm();
    if (review().query() === null) return presses;
    (review().element() as HTMLElement).click();
    if (document.activeElement?.hasAttribute('data-unfold') === true)
      (document.activeElement as HTMLElement).click();
    await moment();
  }
  return Infinity;
};

/** The elements of the input with a text of their own that has no room, or less than it needs. */
function unreadable(view: Element): string[] {
  return [...view.querySelectorAll<HTMLElement>('.diff, dt, dd, code')]
    .filter(({ textContent }) => textContent !== '')
    .filter((one) => {
      const { width, right } = one.getBoundingClientRect();
      const room = Math.min(96, one.textContent.length * 4);
      return (
        width < room ||
        one.scrollWidth > one.clientWidth + 2 + (one.clientWidth === 0 ? 1e6 : 0) ||
        right > view.getBoundingClientRect().right + 1
      );
    })
    .map(({ tagName, textContent }) => `${tagName} ${textContent.slice(0, 30)}`);
}

describe.each([320, 390, 768, 1280])('at %i pixels', (width) => {
  const isReadAndApproved = async (_what: string, input: JsonObject) => {
    await page.viewport(width, 700);
    const card = await askCard({ kind: 'approval', toolName: 'mcp__notes__query', input });
    const view = card.element.querySelector('.input-view');
    if (view === null) throw new Error('The card shows no input');
    expect(unreadable(view)).toEqual([]);
    expect(await read(card)).toBeLessThan(40);
    expect((view as HTMLElement).dataset['mode']).toBe('one column');
    press();
    await expect.poll(async () => (await card.now()).outcome).toBe('approved');
  };
  it.each(FEW)('[VIEW-1, UI-2] %s is read as fields and approved', isReadAndApproved);
  inLongRun(() => {
    it.each(MORE)('[VIEW-1, UI-2] %s is read as fields and approved', isReadAndApproved);
  });
});

it('[VIEW-1] stands a value in a value below its name, 12 pixels further in', async () => {
  await page.viewport(390, 700);
  const { element } = await askCard({ kind: 'approval', toolName: 'query', input: NOTION });
  const edges = [...element.querySelectorAll('.field-row > dt')].map(
    (name) => [name.textContent, Math.round(name.getBoundingClientRect().left)] as const,
  );
  const [[, first] = ['', 0]] = edges;
  expect(edges.map(([name, left]) => [name, left - first])).toEqual([
    ['database', 0],
    ['filter', 0],
    ['and', 12],
    ['1', 24],
    ['property', 36],
    ['select', 36],
    ['equals', 48],
  ]);
  expect(await axeProblems(element)).toEqual([]);
});

describe('a part that the page clips', () => {
  const CLIPS = '.field-row dd { max-width: 0; overflow: clip }';

  it.each([320, 1280])(
    '[UI-2] is shown as JSON by “Review the full input” at %i pixels, and then approved',
    async (width) => {
      await page.viewport(width, 700);
      const style = document.createElement('style');
      style.textContent = CLIPS;
      document.head.append(style);
      try {
        const card = await askCard({ kind: 'approval', toolName: 'query', input: NOTION });
        await card.arm();
        press();
        await expect.element(page.getByRole('button', { name: 'Show as fields' })).toBeVisible();
        await expect.element(page.getByText('"DELETE-ME"')).toBeVisible();
        expect((await card.now()).status).toBe('open');
        expect(await read(card)).toBeLessThan(40);
        press();
        await expect.poll(async () => (await card.now()).outcome).toBe('approved');
      } finally {
        style.remove();
      }
    },
  );
});
