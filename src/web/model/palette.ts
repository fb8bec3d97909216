/**
 * What of a list fits the words that a person types: each of them is in the text, as the beginning of a word, inside one,
 * or with letters left out. What fits better comes first; what fits alike keeps its order.
 */
export interface PaletteText {
  readonly words: string;
  /** The second line: a session, a place, a person. */
  readonly about?: string;
  /** It decides a request: only its whole name finds it, and everything else that is found comes before it. */
  readonly decides?: true;
}

const AT_START = 4;
const AT_WORD = 3;
const INSIDE = 2;
const LETTERS_LEFT_OUT = 1;
/** A word in the second line says less of an entry than one in its name. */
const IN_ABOUT = 0.5;
/** The beginning distinguishes entries; a command may have thousands of characters. */
const COMPARED_CHARS = 400;

export function typedWords(typed: string): readonly string[] {
  return plain(typed).split(/\s+/).filter(Boolean);
}

export function rankItems<Item extends PaletteText>(
  items: readonly Item[],
  typed: string,
): readonly Item[] {
  const wanted = typedWords(typed);
  if (wanted.length === 0) return items;
  return items
    .flatMap((item) => {
      const score = scoreOf(item, wanted);
      return score === undefined ? [] : [{ item, score }];
    })
    .toSorted((one, other) => other.score - one.score)
    .map(({ item }) => item);
}

/** Below every score of a name that is found by a part of it. */
const LAST = 0;

function scoreOf({ words, about = '', decides }: PaletteText, wanted: readonly string[]) {
  if (decides === true) return isWholeName(words, wanted) ? LAST : undefined;
  const [name, more] = [plain(words), plain(about)];
  let score = 0;
  for (const word of wanted) {
    const found = Math.max(wordFitOf(name, word), wordFitOf(more, word) * IN_ABOUT);
    if (found === 0) return undefined;
    score += found;
  }
  return score;
}

function wordFitOf(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at === 0) return AT_START;
  if (at > 0) {
    const isAtWord = text.split(NO_WORD).some((one) => one.startsWith(word));
    return isAtWord ? AT_WORD : INSIDE;
  }
  return text.split(NO_WORD).some((one) => hasLetters(one, word)) ? LETTERS_LEFT_OUT : 0;
}

function isWholeName(name: string, wanted: readonly string[]): boolean {
  const wordsOf = (text: string) => text.split(NO_WORD).filter(Boolean).join(' ');
  return wordsOf(plain(name)) === wordsOf(wanted.join(' '));
}

const NO_WORD = /[^\p{L}\p{N}]+/u;
/** With fewer letters almost everything fits. */
const LEAST_LETTERS = 3;

/** The letters in their order, from the first one on: `stgs` for `settings`. */
function hasLetters(text: string, word: string): boolean {
  if (word.length < LEAST_LETTERS || text[0] !== word[0]) return false;
  let at = 0;
  for (const letter of text) if (letter === word[at]) at += 1;
  return at === word.length;
}

/** Without case and marks: `uber` finds `Über`. */
function plain(text: string): string {
  return text.slice(0, COMPARED_CHARS).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
