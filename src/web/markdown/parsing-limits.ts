/**
 * Limits how long the Markdown parser may keep the page busy. The parser cannot be stopped and takes minutes for some
 * texts: it is quadratic in headings, in lists and in lazy continuation lines of a quote.
 *
 * `deadline` interrupts the parser between two constructs. In between, the parser takes linear time, except for what
 * `isCostly` estimates before parsing.
 */
import type { Options } from 'micromark';

type Extension = NonNullable<Options['extensions']>[number];

const INLINE = [...'!&*<[\\]_~'].map((character) => character.charCodeAt(0));
const BACKTICK = 96;

export class TooSlow extends Error {}

/** The extension checks the clock before each container, block and inline construct, and throws. */
export function deadline(budgetMs: number): Extension {
  const end = performance.now() + budgetMs;
  const look: NonNullable<NonNullable<Extension['flow']>['null']> = {
    tokenize(_effects, _ok, nok) {
      if (performance.now() > end) throw new TooSlow();
      return nok;
    },
  };
  return {
    document: { null: look },
    flow: { null: look },
    text: {
      ...Object.fromEntries(INLINE.map((code) => [code, look])),
      // Code starts at the first backtick of a run; a check at each one would make the parser try at each one.
      [BACKTICK]: { ...look, previous: (code) => code !== BACKTICK },
    },
  };
}

const MAX_STEPS = 10_000_000;
/** Everything that is not counted here grows at most with the square of the length. */
const MAX_MARKDOWN_CHARS = 65_536;

/** Skipping a token is cheaper than skipping a mark by this factor; tokens have a character or two. */
const TOKEN_CHARS = 16;

/** Inline content ends at a blank line (in a quote too), a heading, a fence, and a list item. */
const BOUNDARY = /\n(?=[ \t>]*\n| {0,3}(?:#{1,6}[ \t]|```|~~~|[-+*] \S))/;
/** An underscore inside a word is not a mark. */
const MARKS = /\*+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])|~+|`+|[[\]]/gu;
const LINE_SUFFIX = /[ \t]\n/g;
const CONTAINER = /[ \t]*(?:>|[-+*]|\d{1,9}[.)])/y;
const MAX_CONTAINERS = 50;
const BEGINS_DEFINITION = /^[\s>*+\-\d.)]*\[/m;
const URL_MARKS = /[^\p{L}\p{N}]/gu;

/**
 * Whether a text would keep the parser busy for too long where `deadline` does not check, in steps of 50 nanoseconds.
 *
 * The estimate is an upper bound from one pass over the text, without parsing:
 *
 * 1. in one run of inline content, each emphasis mark and each bracket looks back over everything before it, and
 *    blanks at the end of a line move everything after them;
 * 2. a run of backticks searches for its end in the rest of the content, once for each length;
 * 3. in one word that starts like an address, each mark searches for the end of the address;
 * 4. each use of a reference repeats its definition in the result;
 * 5. containers that start in one line (`> - > - …`) cost far more than their number.
 *
 * Inline content is split only where it certainly ends: a wrong split would be a way around the limit, a missing one
 * only shows a strange text as plain text.
 */
export function isCostly(text: string): boolean {
  return text.length > MAX_MARKDOWN_CHARS || nestsDeep(text) || parsingSteps(text) > MAX_STEPS;
}

function parsingSteps(text: string): number {
  let steps = 0;
  let closing = 0;
  let longestDefinition = 0;
  for (const inline of text.split(BOUNDARY)) {
    const found = inline.match(MARKS) ?? [];
    const marks = found.filter((mark) => !mark.startsWith('`'));
    const ticks = new Set(found.filter((mark) => mark.startsWith('`')));
    const movers = marks.length + (inline.match(LINE_SUFFIX)?.length ?? 0);
    steps += marks.length * marks.length + (movers * inline.length) / TOKEN_CHARS;
    steps += ticks.size * inline.length;
    closing += marks.filter((mark) => mark === ']').length;
    if (inline.includes(']:') && BEGINS_DEFINITION.test(inline))
      longestDefinition = Math.max(longestDefinition, inline.length);
  }
  for (const word of text.split(/\s+/)) {
    if (/www|http/i.test(word)) steps += word.length * (word.match(URL_MARKS)?.length ?? 0);
  }
  return steps + closing * longestDefinition;
}

function nestsDeep(text: string): boolean {
  return text.split('\n').some((line) => containersIn(line) > MAX_CONTAINERS);
}

function containersIn(line: string): number {
  let count = 0;
  CONTAINER.lastIndex = 0;
  while (CONTAINER.test(line)) count += 1;
  return count;
}
