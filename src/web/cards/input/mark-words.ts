/** The words that differ between two lines, as ranges of the line. */
import { diffWordsWithSpace } from 'diff';

export type TextRange = readonly [from: number, to: number];

/** Longer lines are not compared: the search takes the square of what differs. */
const MAX_MARKED_CHARS = 1_000;
const MAX_EDITS = 60;
/** Of lines that have less in common, marks say nothing. */
const LEAST_COMMON = 0.25;

interface MarkedWords {
  readonly gone: readonly TextRange[];
  readonly fresh: readonly TextRange[];
}

const NONE: MarkedWords = { gone: [], fresh: [] };

export function markWords(before: string, after: string): MarkedWords {
  if (before.length > MAX_MARKED_CHARS || after.length > MAX_MARKED_CHARS) return NONE;
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return NONE;
  const [gone, fresh]: [TextRange[], TextRange[]] = [[], []];
  let [at, to, common] = [0, 0, 0];
  for (const { value, added, removed } of parts) {
    if (removed) gone.push([at, at + value.length]);
    else if (added) fresh.push([to, to + value.length]);
    else common += value.trim().length;
    if (!added) at += value.length;
    if (!removed) to += value.length;
  }
  const most = Math.max(before.trim().length, after.trim().length);
  return common < most * LEAST_COMMON ? NONE : { gone, fresh };
}
