/** As many whole lines as fit; of a first line that does not fit by itself, its beginning. */

export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}

export interface FittedLines {
  readonly text: string;
  /** How many lines the text holds. */
  readonly count: number;
  /** Only the beginning of the first line is there. */
  readonly isTorn: boolean;
}

export function fitLines(lines: readonly string[], maxChars: number): FittedLines {
  let count = 0;
  let chars = -1;
  for (const line of lines) {
    chars += line.length + 1;
    if (chars > maxChars) break;
    count += 1;
  }
  const [first] = lines;
  if (count > 0 || first === undefined) {
    return { text: lines.slice(0, count).join('\n'), count, isTorn: false };
  }
  return { text: cutText(first, maxChars), count: 1, isTorn: true };
}
