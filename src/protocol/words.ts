/**
 * The words of a command line, by which a request finds the tool call that it came from (RDV-3, ALN-3).
 *
 * A word is a run of letters and digits in lower case; camelCase is several words. Comparing words and not parts of a text
 * keeps `ask` out of `task`, and makes `holdpoint_ask`, `holdpointAsk` and `holdpoint ask` the same name.
 */
import { deferPattern } from './defer-pattern.ts';
import { COMMAND_BYTES } from './limits.ts';

/** Stands between the values of an input, so that the end of one and the beginning of the next are no neighbors. */
const BETWEEN_VALUES = '';

const BEYOND_ASCII = /[^\s!-~]/;
const CAPITAL = /[A-Z]/;
const CAPITALIZED = /^[A-Z][a-z]*$/;
const PLAIN_WORD = /[A-Za-z0-9]+/g;
const WORD = deferPattern(String.raw`[\p{L}\p{M}\p{N}]+`, 'gu');
/** Between `l` and `C` in `camelCase`, and between `P` and `S` in `HTTPServer`. */
const INSIDE_CAMEL_CASE = deferPattern(
  String.raw`(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})`,
  'u',
);
const LAST_WORD = deferPattern(String.raw`[\p{L}\p{M}\p{N}]+$`, 'u');

const UTF8_ENCODER = new TextEncoder();
/** Only measures: its content is never read. */
const BUFFER = new Uint8Array(COMMAND_BYTES);

export function splitWords(text: string): string[] {
  // Nearly every command line and path is ASCII in lower case, where Unicode classes take most of the time.
  const isPlain = !BEYOND_ASCII.test(text);
  if (isPlain && !CAPITAL.test(text)) return text.match(PLAIN_WORD) ?? [];
  const words: string[] = [];
  for (const run of text.match(isPlain ? PLAIN_WORD : WORD()) ?? []) {
    const lower = run.toLowerCase();
    if (lower === run || CAPITALIZED.test(run)) words.push(lower);
    else for (const word of run.split(INSIDE_CAMEL_CASE())) words.push(word.toLowerCase());
  }
  return words;
}

/**
 * The text values of an input, not its keys, up to 16 KiB: what a command line and its first lines need, where a file that
 * a tool writes is far longer. A list of texts is one value: an argument vector reads as the command line that it is.
 */
export function textsOfInput(input: unknown): string[] {
  const texts: string[] = [];
  let left = BUFFER;
  const add = (text: string) => {
    const { read, written } = UTF8_ENCODER.encodeInto(text, left);
    const isWhole = read === text.length;
    texts.push(isWhole ? text : cutAtWord(text, read));
    left = isWhole ? left.subarray(written) : BUFFER.subarray(COMMAND_BYTES);
  };
  // A stack, because an input may be nested deeper than calls can be.
  const todo: unknown[] = [input];
  while (todo.length > 0 && left.length > 0) {
    const value = todo.pop();
    if (typeof value === 'string') add(value);
    else if (Array.isArray(value)) {
      const parts = value.filter((part) => typeof part === 'string');
      if (parts.length > 0) add(parts.join(' '));
      todo.push(...value.filter((part) => typeof part === 'object').toReversed());
    } else if (typeof value === 'object' && value !== null) {
      todo.push(...Object.values(value).toReversed());
    }
  }
  return texts;
}

export function wordsOfInput(input: unknown): string[] {
  return textsOfInput(input).flatMap((text, index) => [
    ...(index === 0 ? [] : [BETWEEN_VALUES]),
    ...splitWords(text),
  ]);
}

/** Half a word would be another word. */
function cutAtWord(text: string, chars: number): string {
  return text.slice(0, chars).replace(LAST_WORD(), '');
}

/** Whether the words of the name stand in the list as neighbors, in their order. */
export function hasName(words: readonly string[], name: readonly string[]): boolean {
  const [first] = name;
  if (first === undefined) return false;
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1)) {
    if (name.every((word, offset) => words[at + offset] === word)) return true;
  }
  return false;
}

/** How many words of the command stand in the list in their order, others between them; a missing word is passed over. */
export function countInOrder(words: readonly string[], command: readonly string[]): number {
  let count = 0;
  let from = 0;
  for (const word of command) {
    const at = words.indexOf(word, from);
    if (at < 0) continue;
    count += 1;
    from = at + 1;
  }
  return count;
}
