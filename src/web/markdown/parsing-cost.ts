/**
 * What of a text would keep the Markdown parser busy where its deadline is not looked at, in steps of 50 nanoseconds.
 *
 * An upper bound from one pass over the text, without parsing it:
 *
 * 1. in one run of inline content, each mark of emphasis and each bracket looks back over what came before it,
 *    and blanks at the end of a line move all that comes after them;
 * 2. a run of backticks looks for its end in the rest of it, once for each length;
 * 3. in one word that begins like an address, each mark looks ahead for the end of the address;
 * 4. each use of a reference repeats its definition in the result;
 * 5. containers that begin in one line (`> - > - …`) are far dearer than their number.
 *
 * Inline content is split where it certainly ends, and nowhere else: a split too many would be a way around the limit,
 * one too few only shows a strange text as it was written.
 */

const MAX_STEPS = 10_000_000;
/** All that is not counted here grows at most with the square of the length. */
const MAX_MARKDOWN_CHARS = 65_536;

/** To look past one token is that much cheaper than past a mark, and tokens have a character or two. */
const TOKEN_CHARS = 16;

/** A blank line (in a quote too), a heading, a fence, and an item of a list each end inline content. */
const BOUNDARY = /\n(?=[ \t>]*\n| {0,3}(?:#{1,6}[ \t]|```|~~~|[-+*] \S))/;
/** An underscore inside a word is only an underscore. */
const MARKS = /\*+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])|~+|`+|[[\]]/gu;
const LINE_SUFFIX = /[ \t]\n/g;
const CONTAINER = /[ \t]*(?:>|[-+*]|\d{1,9}[.)])/y;
const MAX_CONTAINERS = 50;
const BEGINS_DEFINITION = /^[\s>*+\-\d.)]*\[/m;
const URL_MARKS = /[^\p{L}\p{N}]/gu;

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
