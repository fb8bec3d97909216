/** Shortens texts to a number of characters. */

/** The beginning of a text, never with half a surrogate pair at its end. */
export function cutText(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '');
}

export interface FittedLines {
  readonly text: string;
  /** The number of lines in the text. */
  readonly count: number;
  /** The text is only the beginning of the first line. */
  readonly isTorn: boolean;
}

/** As many whole lines as fit; or the beginning of the first line, if it alone is too long. */
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
