/** Which line of a diff became which: the first one removed in a place and the first one added there, and so on. */
import type { DiffLine } from './diff-lines.ts';

/** A line that was removed or added, and the line in its place on the other side. */
export interface DiffPair {
  readonly left: DiffLine | undefined;
  readonly right: DiffLine | undefined;
}

/** The rows of two columns. An unchanged line and a note are on both sides. */
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
