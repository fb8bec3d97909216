/** The pages of a large input. A bug here looks like a line that no page shows. */
import { describe, expect, it } from 'vitest';
import {
  type InputPage,
  inputPages,
  PAGE_CHARS,
} from '../../../../src/web/model/cards/input-pages.ts';

/** What a reader of all pages has read of each field. */
function readFields(pages: readonly InputPage[]): [string, string][] {
  const read = new Map<string, string>();
  for (const { name, text } of pages.flat()) read.set(name, (read.get(name) ?? '') + text);
  return [...read];
}

function checked(input: object): readonly InputPage[] {
  const pages = inputPages(JSON.stringify(input), {});
  for (const page of pages) {
    expect(page.length).toBeGreaterThan(0);
    const chars = page.reduce((sum, { name, text }) => sum + name.length + text.length, 0);
    expect(chars).toBeLessThanOrEqual(PAGE_CHARS + 5_000);
    for (const { text } of page) expect(text.isWellFormed()).toBe(true);
  }
  return pages;
}

describe('[UI-16] the pages of an input', () => {
  it.each<[string, Record<string, string>]>([
    ['a file of lines', { file_path: 'a.txt', content: `${'x'.repeat(99)}\n`.repeat(5_000) }],
    ['one long line', { content: 'y'.repeat(300_000) }],
    ['pairs of surrogates', { content: `a${'😀'.repeat(100_000)}` }],
    [
      'many small fields',
      Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`k${at}`, `v${at}`])),
    ],
    ['exactly one page', { content: 'z'.repeat(PAGE_CHARS - 64 - 'content'.length) }],
    [
      'two fields that do not fit together',
      { a: 'a'.repeat(60_000), b: 'b'.repeat(60_000), c: '' },
    ],
    ['a name that is longer than a page', { ['n'.repeat(70_000)]: 'x'.repeat(10) }],
    ['names of objects', JSON.parse('{"__proto__":"p","constructor":"c"}')],
  ])('show all of %s, in order', (_name, input) => {
    const pages = inputPages(JSON.stringify(input), {});
    expect(readFields(pages)).toEqual(Object.entries(input));
  });

  it('are no larger than what is drawn at once, and end with a line', () => {
    const pages = checked({ content: `${'x'.repeat(99)}\n`.repeat(5_000), other: 'z' });
    expect(pages.length).toBeGreaterThan(7);
    for (const page of pages) expect(page.at(-1)?.text).toMatch(/(?:\n|^z)$/);
    checked({ content: '😀'.repeat(200_000) });
  });

  it('show values that are no text as JSON, and a text that no double holds as it is', () => {
    expect(inputPages('{"list":[1,2]}', {})).toEqual([
      [{ name: 'list', text: '[\n  1,\n  2\n]', isContinued: false }],
    ]);
    expect(inputPages('{"n":9007199254740993}', { isText: true })).toEqual([
      [{ name: 'input as JSON text', text: '{"n":9007199254740993}', isContinued: false }],
    ]);
  });
});
