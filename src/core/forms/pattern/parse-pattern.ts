/**
 * Parses the text of a pattern into a tree, or returns a sentence that names the first problem.
 *
 * The grammar is that of JavaScript with the flag `u`, without the constructs that an automaton cannot match. Any ASCII
 * punctuation may follow a backslash, because authors of JSON Schema write it so. The recursion is as deep as groups
 * are nested; the length limit of `compilePattern` bounds it.
 */

/** Sets of code points as sorted, disjoint, inclusive ranges. */
type Range = readonly [from: number, to: number];
export type CharSet = readonly Range[];

const LAST = 0x10ffff;

function charSet(ranges: readonly Range[]): CharSet {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function complement(set: CharSet): CharSet {
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

const DIGITS = charSet([[0x30, 0x39]]);
const WORD_CHARS = charSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
/** White space and line ends, as ECMAScript defines `\s`. */
const SPACE = charSet([
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
const NOT_LINE_END = complement(
  charSet([
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
  ]),
);

export type PatternNode =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'start' }
  | { readonly kind: 'end' }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly node: PatternNode;
      readonly min: number;
      readonly max: number;
    };

export type ParsedPattern =
  | { readonly ok: true; readonly node: PatternNode }
  | { readonly ok: false; readonly problem: string };

const CONTROL_ESCAPES: Readonly<Record<string, number>> = {
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
};
const ESCAPE_CLASSES: Readonly<Record<string, CharSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD_CHARS,
  W: complement(WORD_CHARS),
  s: SPACE,
  S: complement(SPACE),
};
const UNSUPPORTED_ESCAPES: Readonly<Record<string, string>> = {
  b: 'Word boundaries are not supported',
  B: 'Word boundaries are not supported',
  p: 'Unicode properties are not supported',
  P: 'Unicode properties are not supported',
  k: 'Back-references are not supported',
  c: 'Control escapes are not supported',
};
const ESCAPABLE = /^[!-/:-@[-`{-~ ]$/;

/** Ends the recursion at the first problem; `parsePattern` catches it and returns its message. */
class PatternProblem extends Error {}

export function parsePattern(source: string): ParsedPattern {
  try {
    return { ok: true, node: new Parser(source).parse() };
  } catch (error) {
    if (error instanceof PatternProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

class Parser {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#chars = Array.from(source);
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#chars.length) failPattern('A ) has no group to close');
    return node;
  }

  #choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take('|')) options.push(this.#sequence());
    const [first] = options;
    return options.length === 1 && first !== undefined ? first : { kind: 'choice', options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#chars.length && this.#peek() !== '|' && this.#peek() !== ')')
      parts.push(this.#repetition());
    return { kind: 'sequence', parts };
  }

  #repetition(): PatternNode {
    const node = this.#atom();
    const counts = this.#counts();
    if (counts === undefined) return node;
    if (node.kind === 'start' || node.kind === 'end') failPattern('^ and $ cannot be repeated');
    // Lazy or greedy decides which match comes first, not whether the text matches.
    this.#take('?');
    return { kind: 'repeat', node, ...counts };
  }

  #counts(): { min: number; max: number } | undefined {
    if (this.#take('*')) return { min: 0, max: Infinity };
    if (this.#take('+')) return { min: 1, max: Infinity };
    if (this.#take('?')) return { min: 0, max: 1 };
    if (!this.#take('{')) return undefined;
    const min = this.#digits();
    const open = this.#take(',');
    const upper = open ? this.#digits() : min;
    if (min === '' || !this.#take('}')) failPattern('Write a repetition as {2}, {2,} or {2,5}');
    const max = upper === '' ? Infinity : Number(upper);
    if (max < Number(min)) failPattern('A repetition counts from the smaller to the larger number');
    return { min: Number(min), max };
  }

  #atom(): PatternNode {
    const char = this.#next();
    switch (char) {
      case '^':
        return { kind: 'start' };
      case '$':
        return { kind: 'end' };
      case '.':
        return { kind: 'set', set: NOT_LINE_END };
      case '(':
        return this.#group();
      case '[':
        return { kind: 'set', set: this.#bracket() };
      case '\\': {
        const escaped = this.#escape();
        return { kind: 'set', set: typeof escaped === 'number' ? singleCharSet(escaped) : escaped };
      }
      case '*':
      case '+':
      case '?':
        return failPattern(`There is nothing before ${char} to repeat`);
      case '{':
      case '}':
      case ']':
        return failPattern(`Write \\${char} for the character ${char}`);
      default:
        return { kind: 'set', set: singleCharSet(codePoint(char)) };
    }
  }

  #group(): PatternNode {
    if (this.#take('?') && !this.#take(':')) {
      const hasAngle = this.#take('<');
      if (this.#take('=') || this.#take('!')) failPattern('Look-around is not supported');
      failPattern(
        hasAngle ? 'Named groups are not supported' : 'Flags in a group are not supported',
      );
    }
    const node = this.#choice();
    if (!this.#take(')')) failPattern('A group is not closed');
    return node;
  }

  /** Parses the inside of `[…]`, after the opening bracket. */
  #bracket(): CharSet {
    const negated = this.#take('^');
    const ranges: Range[] = [];
    while (!this.#take(']')) {
      const from = this.#bracketItem();
      const isRange = this.#peek() === '-' && this.#chars[this.#at + 1] !== ']';
      if (!isRange) {
        ranges.push(...(typeof from === 'number' ? singleCharSet(from) : from));
        continue;
      }
      this.#next();
      const to = this.#bracketItem();
      if (typeof from !== 'number' || typeof to !== 'number')
        return failPattern('A range goes from one character to another; write \\- for a hyphen');
      if (to < from) failPattern('A range goes from the smaller to the larger character');
      ranges.push([from, to]);
    }
    const set = charSet(ranges);
    return negated ? complement(set) : set;
  }

  #bracketItem(): number | CharSet {
    if (this.#at >= this.#chars.length) failPattern('A [ is not closed');
    const char = this.#next();
    return char === '\\' ? this.#escape() : codePoint(char);
  }

  /** Parses after a backslash: one code point, or a class such as `\d`. */
  #escape(): number | CharSet {
    if (this.#at >= this.#chars.length) failPattern('A backslash needs a character after it');
    const char = this.#next();
    const known = ESCAPE_CLASSES[char] ?? CONTROL_ESCAPES[char];
    if (known !== undefined) return known;
    if (char === 'x') return this.#hex(2);
    if (char === 'u') return this.#unicode();
    if (char === '0' && !/^[0-9]$/.test(this.#peek())) return 0;
    if (/^[0-9]$/.test(char)) failPattern('Back-references are not supported');
    if (ESCAPABLE.test(char)) return codePoint(char);
    return failPattern(UNSUPPORTED_ESCAPES[char] ?? `The escape \\${char} is not known`);
  }

  #unicode(): number {
    if (this.#take('{')) {
      let digits = '';
      while (/^[0-9a-fA-F]$/.test(this.#peek())) digits += this.#next();
      const value = Number.parseInt(digits, 16);
      if (!this.#take('}') || !(value <= 0x10ffff)) failPattern('Write \\u{...} with a code point');
      return value;
    }
    const high = this.#hex(4);
    if (high < 0xd800 || high > 0xdfff) return high;
    const isPair = high < 0xdc00 && this.#take('\\') && this.#take('u');
    const low = isPair ? this.#hex(4) : 0;
    if (low < 0xdc00 || low > 0xdfff) failPattern('A \\u escape is half of a surrogate pair');
    return (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000;
  }

  #hex(length: number): number {
    const digits = this.#chars.slice(this.#at, this.#at + length).join('');
    if (digits.length !== length || !/^[0-9a-fA-F]+$/.test(digits))
      failPattern(`The escape needs ${length} hexadecimal digits`);
    this.#at += length;
    return Number.parseInt(digits, 16);
  }

  #digits(): string {
    let digits = '';
    while (/^[0-9]$/.test(this.#peek())) digits += this.#next();
    return digits;
  }

  /** The next character, or the empty string at the end. */
  #peek(): string {
    return this.#chars[this.#at] ?? '';
  }

  #next(): string {
    const char = this.#peek();
    this.#at += 1;
    return char;
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at += 1;
    return true;
  }
}

function singleCharSet(code: number): CharSet {
  return [[code, code]];
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function failPattern(problem: string): never {
  throw new PatternProblem(problem);
}
