/** Sets of code points as sorted, disjoint, inclusive ranges. */

export type Range = readonly [from: number, to: number];
export type CharSet = readonly Range[];

const LAST = 0x10ffff;

export function charSet(ranges: readonly Range[]): CharSet {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function complement(set: CharSet): CharSet {
  const outside: Range[] = [];
  let next = 0;
  for (const [from, to] of set) {
    if (from > next) outside.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= LAST) outside.push([next, LAST]);
  return outside;
}

/** Binary search: a linear scan of a class of a hundred ranges would cost a hundred steps for each character. */
export function contains(set: CharSet, codePoint: number): boolean {
  let low = 0;
  let high = set.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const range = set[middle];
    if (range === undefined || codePoint < range[0]) high = middle;
    else if (codePoint > range[1]) low = middle + 1;
    else return true;
  }
  return false;
}

export const DIGITS = charSet([[0x30, 0x39]]);
export const WORD_CHARS = charSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
/** White space and line ends, as ECMAScript defines `\s`. */
export const SPACE = charSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);
/** The characters that `.` matches: all but line ends. */
export const NOT_LINE_END = complement(
  charSet([
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
  ]),
);
