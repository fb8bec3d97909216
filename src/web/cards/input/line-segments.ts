/** A line of code as pieces that look alike: the colors of its tokens, and the words that differ. */
import type { CodeToken } from './highlight.ts';
import type { TextRange } from './mark-words.ts';

export interface LineSegment {
  readonly text: string;
  readonly kind: string;
  readonly isMarked: boolean;
}

export function lineSegments(
  text: string,
  tokens: readonly CodeToken[] | undefined,
  marks: readonly TextRange[],
): readonly LineSegment[] {
  const segments: LineSegment[] = [];
  let from = 0;
  let mark = 0;
  const add = (end: number, kind: string) => {
    while (from < end) {
      while ((marks[mark]?.[1] ?? Infinity) <= from) mark += 1;
      const [start, stop] = marks[mark] ?? [Infinity, Infinity];
      const isMarked = start <= from;
      const to = wholeCharacters(text, Math.min(end, isMarked ? stop : start));
      segments.push({ text: text.slice(from, to), kind, isMarked });
      from = to;
    }
  };
  let at = 0;
  for (const token of tokens ?? []) {
    at += token.text.length;
    add(at, token.kind);
  }
  add(text.length, '');
  return segments;
}

/** Never in the middle of a surrogate pair, whose halves would be shown as two escapes. */
function wholeCharacters(text: string, end: number): number {
  const isHalf =
    /[\uDC00-\uDFFF]/.test(text.charAt(end)) && /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isHalf ? end + 1 : end;
}
