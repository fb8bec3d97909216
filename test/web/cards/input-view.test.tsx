/** The input of a tool on its card: what it does is seen at a glance, and nothing of it is approved unseen. */
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { JsonObject } from '../../../src/protocol/types.ts';
import { InputView } from '../../../src/web/cards/input/input-view.tsx';
import { axeProblems } from '../../support/web/axe.ts';
import { mount } from '../../support/web/mount.ts';
import { askCard, type ShownCard } from './ask-card.tsx';
import { inLongRun } from '../../support/run-length.ts';

const lineOf = (at: number) => `const value${at} = ${at};`;
const BASE = Array.from({ length: 5_000 }, (_, at) => lineOf(at));
const MANY = BASE.map((line, at) => (at % 10 < 3 ? `${line} // changed` : line));
const editOf = (before: readonly string[], after: readonly string[]) => ({
  file_path: 'src/pay.ts',
  old_string: before.join('\n'),
  new_string: after.join('\n'),
});
const draw = (toolName: string, input: JsonObject) =>
  mount(
    <main>
      <InputView toolName={toolName} input={input} label={`Input of ${toolName}`} />
    </main>,
  );
const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
const settled = () => new Promise((done) => setTimeout(done, 120));

describe('the view of an input', () => {
  it('[VIEW-1] shows an edit as a diff with its words marked, and says how its lines count', async () => {
    const { element } = draw('Edit', {
      file_path: 'src/pay.ts',
      old_string: 'const limit = 1000;\nsend();',
      new_string: 'const limit = 9000;\nsend();',
      replace_all: true,
      why: 'asked',
    });
    await expect.element(page.getByText('src/pay.ts')).toBeVisible();
    expect([...element.querySelectorAll('mark')].map((one) => one.textContent)).toEqual([
      '1000',
      '9000',
    ]);
    expect(element.textContent).toContain('Everywhere in the file · Lines counted from the start');
    await expect.element(page.getByText('asked')).toBeVisible();
    await expect.poll(() => element.querySelector('.of-keyword')?.textContent).toBe('const');
    expect(await axeProblems(element)).toEqual([]);
    await page.getByRole('button', { name: 'Show raw JSON' }).click();
    await expect.element(page.getByText('"replace_all": true')).toBeVisible();
  });

  it('[VIEW-1, UI-10] is readable on the marks of changed words, in light and dark', async () => {
    const { element } = draw('Edit', {
      file_path: 'src/pay.ts',
      old_string: "const limit = 'low'; // a",
      new_string: "return limit = 'high'; // b",
    });
    await expect.poll(() => element.querySelectorAll('mark.of-keyword').length).toBe(2);
    const { style } = document.documentElement;
    onTestFinished(() => void style.removeProperty('color-scheme'));
    for (const scheme of ['light', 'dark']) {
      style.setProperty('color-scheme', scheme);
      expect(await axeProblems(element), scheme).toEqual([]);
    }
  });

  it('[VIEW-1] shows two columns where the card is wide', async () => {
    await page.viewport(1_200, 700);
    const { element } = draw('Edit', editOf(['a', 'b', 'c'], ['a', 'x', 'y', 'c']));
    const columns = () =>
      [...element.querySelectorAll('.line')].map((row) =>
        [...row.querySelectorAll('.side')].map(
          (side) => side.querySelector('.code')?.textContent ?? '',
        ),
      );
    await expect.poll(columns).toEqual([
      ['a', 'a'],
      ['b', 'x'],
      ['', 'y'],
      ['c', 'c'],
    ]);
    expect(await axeProblems(element)).toEqual([]);
    await page.getByRole('button', { name: 'Show in one column' }).click();
    await expect.poll(columns).toEqual([[], [], [], [], []]);
  });

  it('[VIEW-1, UI-11] shows hostile text letter by letter, in every view', async () => {
    const hostile = 'x\u202E\u200B<img src=x onerror=1>';
    const inputs: readonly (readonly [string, JsonObject])[] = [
      ['Edit', { file_path: hostile, old_string: `${hostile}1`, new_string: `${hostile}2` }],
      [
        'Bash',
        { command: hostile, cwd: hostile, timeout: 1, [hostile]: [hostile, { [hostile]: 1 }] },
      ],
      ['Write', { file_path: `${hostile}.ts`, content: `${hostile}\n// \u202E` }],
      [
        'fetch',
        { url: 'https://a.example/%E2%80%AE?%E2%80%AE=%E2%80%AE', headers: { a: hostile } },
      ],
    ];
    for (const [toolName, input] of inputs) {
      const { element } = draw(toolName, input);
      expect(element.querySelectorAll('img')).toHaveLength(0);
      expect(element.textContent).not.toMatch(/[\u202E\u200B]/);
      expect(element.textContent).toContain(String.raw`\u202E`);
    }
  });

  it('[VIEW-1] copies what it shows, and says so', async () => {
    const copied: string[] = [];
    const { writeText } = navigator.clipboard;
    navigator.clipboard.writeText = async (text) => void copied.push(text);
    try {
      draw('Bash', { command: 'make \u202E deploy' });
      await page.getByRole('button', { name: 'Copy the command' }).click();
      await expect.element(page.getByText('Copied')).toBeVisible();
      expect(copied).toEqual(['make \u202E deploy']);
    } finally {
      navigator.clipboard.writeText = writeText;
    }
  });
});

describe('a large input', () => {
  inLongRun(() => {
    it('[VIEW-1] of 5,000 lines is drawn and unfolded within a moment', async () => {
      await page.viewport(1_000, 700);
      const before = performance.now();
      const { element } = draw('Edit', editOf(BASE, MANY));
      const first = performance.now() - before;
      expect(element.textContent.length).toBeLessThan(150_000);
      const all = page.getByRole('button', { name: /^Show all/ });
      await expect.element(all).toBeVisible();
      const started = performance.now();
      (all.element() as HTMLElement).click();
      await frame();
      const unfolded = performance.now() - started;
      // The bound is wide for a busy machine; the measured times are in the log of the long run.
      console.info(
        `diff of 5,000 lines: ${Math.round(first)} ms, unfolded in ${Math.round(unfolded)} ms`,
      );
      expect(first).toBeLessThan(2_000);
      expect(unfolded).toBeLessThan(2_000);
      expect(element.querySelectorAll('.line').length).toBeLessThan(1_000);
      // Each piece comes as the reader does, and all of them are there in the end.
      const pieces = [...element.querySelectorAll<HTMLElement>('[data-piece]')];
      for (const piece of pieces) {
        piece.scrollIntoView();
        await expect.poll(() => piece.dataset['piece']).toBe('drawn');
      }
      expect(element.querySelectorAll('.line')).toHaveLength(5_000);
    });
  });

  it('[VIEW-1] of one hostile line is drawn at once', () => {
    for (const letter of ['a', '"', '/', '(', ' ', '\\', '<', '`', '\u202E'].map((one) =>
      one.repeat(20_000),
    )) {
      const before = performance.now();
      draw('Edit', { file_path: 'a.ts', old_string: letter, new_string: `${letter}b` });
      expect(performance.now() - before, letter.slice(0, 1)).toBeLessThan(2_000);
    }
  });
});

describe('what is approved was seen', () => {
  beforeEach(() => page.viewport(390, 500));
  const press = () =>
    (page.getByRole('button', { name: /^Approve/ }).element() as HTMLElement).click();
  const pass = async (card: ShownCard) => {
    for (let times = 0; times < 7; times += 1) {
      await settled();
      card.clock.advance(600);
    }
  };
  const tries = async (card: ShownCard) => {
    await pass(card);
    press();
    await settled();
    return (await card.now()).status;
  };
  const ask = (input: JsonObject, toolName = 'Edit') =>
    askCard({ kind: 'approval', toolName, input });

  it('[VIEW-1, UI-2] not while unchanged lines of the input are folded', async () => {
    const lines = BASE.slice(0, 60);
    const card = await ask(editOf(lines, lines.with(30, 'changed')));
    const view = card.element.querySelector('.input-view');
    expect(view?.querySelectorAll('[data-folded]')).toHaveLength(2);
    window.scrollTo(0, 0);
    await settled();
    window.scrollTo(0, 10_000);
    expect(await tries(card)).toBe('open');
    // The press leads to what is folded, and one of two unfolded is not enough.
    expect(document.activeElement?.hasAttribute('data-unfold')).toBe(true);
    await userEvent.keyboard('{Enter}');
    expect(view?.querySelectorAll('[data-folded]')).toHaveLength(1);
    window.scrollTo(0, 10_000);
    expect(await tries(card)).toBe('open');
  });

  inLongRun(() => {
    it('[VIEW-1, UI-2] not while pieces between the beginning and the end were skipped', async () => {
      const card = await ask(editOf([], BASE.slice(0, 1_000)));
      const top = () => window.scrollTo(0, 0);
      top();
      await settled();
      window.scrollTo(0, document.documentElement.scrollHeight);
      await settled();
      top();
      await settled();
      window.scrollTo(0, document.documentElement.scrollHeight);
      expect(await tries(card)).toBe('open');
      const piece = card.element.querySelectorAll('[data-piece]')[1];
      await expect.poll(() => piece?.getBoundingClientRect().top ?? -1).toBeLessThan(500);
      const review = page.getByRole('button', { name: /^Review the full/ });
      for (let times = 0; times < 120 && review.query() !== null; times += 1) {
        (review.element() as HTMLElement).click();
        await settled();
      }
      expect(review.query()).toBeNull();
      await card.arm();
      press();
      await expect.poll(async () => (await card.now()).outcome).toBe('approved');
    });
  });

  it('[VIEW-1, UI-2] not by half of the fields and half of the JSON', async () => {
    const note = Array.from({ length: 25 }, (_, at) => `line ${at}`).join('\n');
    const card = await ask({ first: note, second: 'rm -rf /', third: note }, 'mcp__notes__add');
    window.scrollTo(0, 0);
    await settled();
    const raw = page.getByRole('button', { name: 'Show raw JSON' }).element();
    (raw as HTMLElement).click();
    await settled();
    window.scrollTo(0, 10_000);
    await settled();
    press();
    await settled();
    expect((await card.now()).status).toBe('open');
  });

  inLongRun(() => {
    it('[VIEW-1, UI-2] not while a nested value is folded', async () => {
      const deep = Object.fromEntries(BASE.slice(0, 40).map((line, at) => [`field${at}`, line]));
      const card = await ask({ id: 1, deep }, 'mcp__crm__update');
      expect(await tries(card)).toBe('open');
      await page.getByRole('button', { name: /^Show all/ }).click();
      await expect.element(page.getByText('field39')).toBeVisible();
      expect(card.element.querySelector('[data-folded]')).toBeNull();
    });
  });
});
