/** Unchanged lines far from a change are folded; a person can open them. */
import type { DiffLine } from './diff-lines.ts';

/** Unchanged lines beside a change that stay. */
const CONTEXT_LINES = 3;
/** A fold takes a line itself. */
const LEAST_FOLDED = 4;

export interface LineRun {
  readonly isFolded: boolean;
  readonly lines: readonly DiffLine[];
}

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
