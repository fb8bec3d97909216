/**
 * The words of a command line, by which a request finds the tool call that it came from (RDV-3, ALN-3).
 *
 * A word is a run of letters and digits in lower case; camelCase is several words. Comparing words and not parts of a text
 * keeps `ask` out of `task`, and makes `holdpoint_ask`, `holdpointAsk` and `holdpoint ask` the same name.
 */

/** Of one input: what a command line and its first lines need. Files that a tool writes are far longer. */
const INPUT_CHARS = 16_384;
/** Stands between the values of an input, so that the end of one and the beginning of the next are no neighbors. */
const BETWEEN_VALUES = '';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Between `l` and `C` in `camelCase`, and between `P` and `S` in `HTTPServer`. */
const INSIDE_CAMEL_CASE = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

export function splitWords(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.matchAll(WORD)) {
    const lower = run.toLowerCase();
    // Most runs are in lower case, and the split costs more than all else.
    if (lower === run) words.push(run);
    else for (const word of run.split(INSIDE_CAMEL_CASE)) words.push(word.toLowerCase());
  }
  return words;
}

/**
 * The words of all text values of an input, not of its keys, up to 16,384 characters. A list is one value: an argument vector
 * reads as the command line that it is.
 */
export function wordsOfInput(input: unknown): string[] {
  const words: string[] = [];
  let left = INPUT_CHARS;
  // A stack, because an input may be nested deeper than calls can be.
  const todo: { value: unknown; isInList: boolean }[] = [{ value: input, isInList: false }];
  for (let next = todo.pop(); next !== undefined && left > 0; next = todo.pop()) {
    const { value, isInList } = next;
    if (typeof value === 'string') {
      const read = value.length > left ? cutAtWord(value, left) : value;
      left -= value.length;
      if (!isInList && words.length > 0) words.push(BETWEEN_VALUES);
      for (const word of splitWords(read)) words.push(word);
    } else if (Array.isArray(value)) {
      if (words.length > 0) words.push(BETWEEN_VALUES);
      for (const one of value.toReversed()) todo.push({ value: one, isInList: true });
    } else if (typeof value === 'object' && value !== null) {
      if (words.length > 0) words.push(BETWEEN_VALUES);
      for (const one of Object.values(value).toReversed()) {
        todo.push({ value: one, isInList: false });
      }
    }
  }
  return words;
}

/** Half a word would be another word. */
function cutAtWord(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\p{L}\p{M}\p{N}]+$/u, '');
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
