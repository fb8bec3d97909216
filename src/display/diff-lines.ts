/**
 * The lines that differ between two texts, and how they are shown: in two columns, folded, and as a patch to copy.
 *
 * The time is bounded for every pair of texts: long ones are first split at lines that each of them has once, and what
 * is then still long and differs throughout counts as replaced whole.
 */
import { diff } from 'fast-myers-diff';
import type { FileDiff } from './display.ts';

export interface DiffLine {
  /** `note`: words about the lines, which are in neither text. */
  readonly mark: 'same' | 'gone' | 'new' | 'note';
  readonly text: string;
  /** The number of the line in the text before and after, from 1. */
  readonly old?: number;
  readonly now?: number;
}

/** The lines of the text before from the first up to the second number become those of the text after. */
type Span = readonly [oldFrom: number, oldTo: number, newFrom: number, newTo: number];

/** Lines of both texts that are matched at once: the search may take the square of them, some 50 ms. */
const MATCHED_LINES = 3_000;

export function diffLines(before: string, after: string, firstLine = 1): DiffLine[] {
  const [old, now] = splitBoth(before, after);
  return diffLists(old, now, firstLine);
}

/** The same of lines that are split already. */
export function diffLists(
  old: readonly string[],
  now: readonly string[],
  firstLine = 1,
): DiffLine[] {
  const lines: DiffLine[] = [];
  let [at, to] = [0, 0];
  const addSame = (end: number) => {
    for (; at < end; at += 1, to += 1)
      lines.push({ mark: 'same', text: old[at] ?? '', old: firstLine + at, now: firstLine + to });
  };
  for (const [oldFrom, oldTo, , newTo] of changedSpans(old, now)) {
    addSame(oldFrom);
    for (; at < oldTo; at += 1)
      lines.push({ mark: 'gone', text: old[at] ?? '', old: firstLine + at });
    for (; to < newTo; to += 1)
      lines.push({ mark: 'new', text: now[to] ?? '', now: firstLine + to });
  }
  addSame(old.length);
  return lines;
}

/** The last line break is no line where both texts end with it; where only one does, that is a difference. */
function splitBoth(before: string, after: string): readonly [string[], string[]] {
  const isEnded = (text: string) => text === '' || text.endsWith('\n');
  const areEnded = isEnded(before) && isEnded(after);
  const split = (text: string) => {
    if (text === '') return [];
    return (areEnded ? text.slice(0, -1) : text).split('\n');
  };
  return [split(before), split(after)];
}

function changedSpans(before: readonly string[], after: readonly string[]): Span[] {
  const { old, now } = numberLines(before, after);
  const spans: Span[] = [];
  let [at, to] = [0, 0];
  for (const [oldEnd, newEnd] of [...anchorsOf(old, now), [old.length, now.length] as const]) {
    spans.push(...spansBetween(old, now, [at, oldEnd, to, newEnd]));
    [at, to] = [oldEnd + 1, newEnd + 1];
  }
  return spans;
}

/** Equal lines have equal numbers, which are faster to compare. */
function numberLines(before: readonly string[], after: readonly string[]) {
  const known = new Map<string, number>();
  const numberOf = (line: string) => {
    const found = known.get(line);
    if (found !== undefined) return found;
    known.set(line, known.size);
    return known.size - 1;
  };
  return { old: Int32Array.from(before, numberOf), now: Int32Array.from(after, numberOf) };
}

function spansBetween(old: Int32Array, now: Int32Array, [from, to, start, end]: Span): Span[] {
  let [oldFrom, oldTo, newFrom, newTo] = [from, to, start, end];
  while (oldFrom < oldTo && newFrom < newTo && old[oldFrom] === now[newFrom])
    [oldFrom, newFrom] = [oldFrom + 1, newFrom + 1];
  while (oldTo > oldFrom && newTo > newFrom && old[oldTo - 1] === now[newTo - 1])
    [oldTo, newTo] = [oldTo - 1, newTo - 1];
  if (oldFrom === oldTo && newFrom === newTo) return [];
  const isOneSided = oldFrom === oldTo || newFrom === newTo;
  if (isOneSided || oldTo - oldFrom + newTo - newFrom > MATCHED_LINES)
    return [[oldFrom, oldTo, newFrom, newTo]];
  const found = diff(old.subarray(oldFrom, oldTo), now.subarray(newFrom, newTo));
  return [...found].map(([a, b, c, d]) => [oldFrom + a, oldFrom + b, newFrom + c, newFrom + d]);
}

/** Pairs of equal lines at which long texts are split: lines that each text has once, in the order of both. */
function anchorsOf(old: Int32Array, now: Int32Array): (readonly [number, number])[] {
  if (old.length + now.length <= MATCHED_LINES) return [];
  const [inOld, inNew] = [placesOf(old), placesOf(now)];
  const pairs: (readonly [number, number])[] = [];
  for (const [line, at] of inOld) {
    const to = inNew.get(line);
    if (at >= 0 && to !== undefined && to >= 0) pairs.push([at, to]);
  }
  return longestRising(pairs.toSorted(([one], [other]) => one - other));
}

/** The place of each line; -1 for a line that is there twice. */
function placesOf(lines: Int32Array): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}

/** The longest part of the list whose second numbers rise too. */
function longestRising(pairs: readonly (readonly [number, number])[]) {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, to]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const end = pairs[ends[middle] ?? 0]?.[1] ?? 0;
      if (end < to) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const rising: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) rising.push(pair);
  }
  return rising.reverse();
}

/** A line that was removed or added, and the line in its place on the other side. */
export interface DiffPair {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

/**
 * The rows of two columns: the first line removed in a place beside the first one added there, and so on. An unchanged line
 * and a note are on both sides.
 */
export function pairLines(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    if (line?.mark === 'same' || line?.mark === 'note') {
      pairs.push({ left: line, right: line });
      at += 1;
      continue;
    }
    const gone = run(lines, at, 'gone');
    const fresh = run(lines, at + gone.length, 'new');
    for (let row = 0; row < Math.max(gone.length, fresh.length); row += 1)
      pairs.push({ left: gone[row], right: fresh[row] });
    at += gone.length + fresh.length;
  }
  return pairs;
}

function run(lines: readonly DiffLine[], from: number, mark: DiffLine['mark']): DiffLine[] {
  let end = from;
  while (lines[end]?.mark === mark) end += 1;
  return lines.slice(from, end);
}

/** Unchanged lines beside a change that stay. */
const CONTEXT_LINES = 3;
/** A fold takes a line itself. */
const LEAST_FOLDED = 4;

export interface LineRun {
  readonly isFolded: boolean;
  readonly lines: readonly DiffLine[];
}

/** Unchanged lines far from a change are folded; a person can open them. */
export function foldContext(lines: readonly DiffLine[]): LineRun[] {
  const runs: LineRun[] = [];
  const add = (isFolded: boolean, from: number, to: number) => {
    if (from < to) runs.push({ isFolded, lines: lines.slice(from, to) });
  };
  let shown = 0;
  for (let at = 0; at < lines.length; ) {
    const end = endOfSame(lines, at);
    const from = at === 0 ? 0 : at + CONTEXT_LINES;
    const to = end === lines.length ? end : end - CONTEXT_LINES;
    if (to - from >= LEAST_FOLDED && !(at === 0 && end === lines.length)) {
      add(false, shown, from);
      add(true, from, to);
      shown = to;
    }
    at = Math.max(end, at + 1);
  }
  add(false, shown, lines.length);
  return runs;
}

function endOfSame(lines: readonly DiffLine[], from: number): number {
  let end = from;
  while (lines[end]?.mark === 'same') end += 1;
  return end;
}

const PATCH_SIGNS = { same: ' ', gone: '-', new: '+', note: '\\ ' } as const;

/** A diff as text, to be copied. A place whose lines in the file are not known has no numbers. */
export function patchText({ path = 'file', movedTo, effect, hunks }: FileDiff): string {
  const from = effect === 'create' ? '/dev/null' : `a/${path}`;
  const to = effect === 'delete' ? '/dev/null' : `b/${movedTo ?? path}`;
  const places = hunks.flatMap(({ lines, isNumbered }) => [
    isNumbered ? `@@ ${rangeOf(lines, 'old')} ${rangeOf(lines, 'now')} @@` : '@@',
    ...lines.map(({ mark, text }) => PATCH_SIGNS[mark] + text),
  ]);
  return `${[`--- ${from}`, `+++ ${to}`, ...places].join('\n')}\n`;
}

function rangeOf(lines: FileDiff['hunks'][number]['lines'], side: 'old' | 'now'): string {
  const numbers = lines.flatMap((line) => line[side] ?? []);
  return `${side === 'old' ? '-' : '+'}${numbers[0] ?? 0},${numbers.length}`;
}
