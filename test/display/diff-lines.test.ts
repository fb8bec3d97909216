/** A diff that is wrong or slow: a person approves other lines than those that change, or the page stands still. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, diffLines, foldContext } from '../../src/display/diff-lines.ts';
import { lowestCpuMs } from '../support/cpu-time.ts';

const SIGNS = { same: ' ', gone: '-', new: '+', note: '\\' } as const;
const drawn = (lines: readonly DiffLine[]) => lines.map(({ mark, text }) => SIGNS[mark] + text);
const kept = (lines: readonly DiffLine[], left: 'gone' | 'new') =>
  lines.filter(({ mark }) => mark !== left).map(({ text }) => text);
const lineOf = (at: number) => `line ${at} of the file, ${at % 7}`;
const BASE = Array.from({ length: 5_000 }, (_, at) => lineOf(at));

describe('the lines of a diff', () => {
  it('[VIEW-1] are those that change, numbered on both sides', () => {
    expect(diffLines('a\nb\nc\n', 'a\nx\ny\nc\n')).toEqual([
      { mark: 'same', text: 'a', old: 1, now: 1 },
      { mark: 'gone', text: 'b', old: 2 },
      { mark: 'new', text: 'x', now: 2 },
      { mark: 'new', text: 'y', now: 3 },
      { mark: 'same', text: 'c', old: 3, now: 4 },
    ]);
    expect(drawn(diffLines('', 'a\n'))).toEqual(['+a']);
    expect(drawn(diffLines('a\n', ''))).toEqual(['-a']);
    expect(diffLines('', '')).toEqual([]);
    expect(diffLines('x', 'y', 40)[0]).toEqual({ mark: 'gone', text: 'x', old: 40 });
  });

  it('[VIEW-1] show a last line break that only one side has', () => {
    expect(drawn(diffLines('a', 'a\n'))).toEqual([' a', '+']);
    expect(drawn(diffLines('a\n', 'a'))).toEqual([' a', '-']);
    expect(drawn(diffLines('a\n', 'a\n\n'))).toEqual([' a', '+']);
  });

  it('[VIEW-1] give back both texts, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', '\r', '- x'), { maxLength: 30 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        for (const [all, left] of [
          [before, 'new'],
          [after, 'gone'],
        ] as const) {
          const text = kept(lines, left).join('\n');
          expect([text, `${text}\n`]).toContain(all);
        }
      }),
    );
  });

  it('[VIEW-1] give back long texts that are split before they are matched', () => {
    const after = BASE.flatMap((line, at) => (at % 10 < 3 ? [`${line}!`] : at % 97 ? [line] : []));
    const lines = diffLines(BASE.join('\n'), after.join('\n'));
    expect(kept(lines, 'new')).toEqual(BASE);
    expect(kept(lines, 'gone')).toEqual(after);
    expect(lines.filter(({ mark }) => mark === 'same').length).toBeGreaterThan(3_000);
    // Blocks that changed places are still found.
    const moved = [...BASE.slice(2_500), ...BASE.slice(0, 2_500)];
    expect(diffLines(BASE.join('\n'), moved.join('\n')).length).toBe(7_500);
  });
});

describe('the time of a diff', () => {
  it('[VIEW-1] is short for 5,000 lines with 1,500 edits', () => {
    const many = BASE.map((line, at) => (at % 10 < 3 ? `${line}!` : line)).join('\n');
    expect(lowestCpuMs(3, () => diffLines(BASE.join('\n'), many))).toBeLessThan(200);
  });

  it('[VIEW-1] is bounded for texts that match badly', () => {
    const random = (seed: number, count: number, kinds: number) =>
      Array.from({ length: count }, (_, at) => {
        const mixed = Math.imul(at ^ (seed * 7_919), 2_654_435_761) >>> 0;
        return String((Math.imul(mixed ^ (mixed >>> 15), 2_246_822_519) >>> 16) % kinds);
      });
    const blocks = (seed: number) =>
      Array.from({ length: 40 }, (_, at) => [
        `anchor ${at}`,
        ...random(seed + at, 1_400, 2),
      ]).flat();
    const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
      [random(1, 1_500, 2), random(2, 1_500, 2)],
      [random(1, 1_500, 900), random(2, 1_500, 900)],
      [random(1, 60_000, 2), random(2, 60_000, 2)],
      [blocks(1), blocks(50)],
      [BASE, BASE.toReversed()],
      [BASE, BASE.map((line) => `${line}!`)],
    ];
    for (const [before, after] of cases) {
      const lines = diffLines(before.join('\n'), after.join('\n'));
      expect(kept(lines, 'new')).toEqual(before);
      expect(lowestCpuMs(2, () => diffLines(before.join('\n'), after.join('\n')))).toBeLessThan(
        600,
      );
    }
  });
});

describe('unchanged lines', () => {
  const before = Array.from({ length: 40 }, (_, at) => lineOf(at));
  const runs = (after: readonly string[]) =>
    foldContext(diffLines(before.join('\n'), after.join('\n')));

  it('[VIEW-1] are folded at a distance from each change, and none is lost', () => {
    const after = before.with(10, 'x').with(30, 'y');
    const found = runs(after);
    expect(found.map(({ isFolded, lines }) => [isFolded, lines.length])).toEqual([
      [true, 7],
      [false, 8],
      [true, 13],
      [false, 8],
      [true, 6],
    ]);
    expect(
      kept(
        found.flatMap(({ lines }) => lines),
        'gone',
      ),
    ).toEqual(after);
  });

  it('[VIEW-1] stay where a fold would hide few of them, or everything', () => {
    expect(runs(before.with(5, 'x').with(15, 'y'))[0]?.isFolded).toBe(false);
    expect(runs(before)).toHaveLength(1);
    expect(runs(before)[0]?.isFolded).toBe(false);
  });
});
