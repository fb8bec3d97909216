/**
 * A name that stands beside decisions: the subject of a token, the name of a key.
 *
 * People judge by it who approved, so what is drawn must be what is there: nothing invisible, nothing that turns the
 * text around, no second line, no word that the service writes itself. Each check is made on the text as given and on
 * its compatibility form (NFKC), in which `ａｄｍｉｎ` is `admin`.
 *
 * Letters of different scripts may stand side by side, not within one word: a Cyrillic `а` in `аda` is refused, `Ада`
 * and `Ada Лавлейс` are not. A whole word in letters that look like those of another script is not found out here;
 * `credential` beside the subject says who it was.
 */
import * as z from 'zod';
import { LIMITS } from '../limits.ts';

/** Controls, formats, surrogates, private and unassigned characters, line ends, and what is drawn as nothing. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** More marks than any script puts on one letter; they are drawn over the lines around it. */
const STACKED = /\p{M}{5}/u;
/** A blank that is no space looks like one. */
const ODD_BLANK = /(?! )\p{Zs}/u;
const LOOSE_BLANK = /^ | $| {2}/;
const WORD = /[\p{L}\p{M}]+/gu;
/** Scripts with letters that are drawn like each other's. */
const LOOK_ALIKES = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
];
/** Subjects that records have where no person and no program answered, and the reader's own name in the chat. */
const RESERVED: ReadonlySet<string> = new Set([
  'admin',
  'system',
  'timeout',
  'rule',
  'mode',
  'built-in agent',
  'you',
]);
/** How the audit list names a decision of the gate. */
const OF_THE_GATE = /^(rule|mode) /;

/** What is wrong with the name, as a sentence; undefined: nothing. */
export function nameProblem(name: string): string | undefined {
  const folded = name.normalize('NFKC');
  for (const text of [name, folded]) {
    if (UNSEEN.test(text)) return 'Use characters that are drawn: no control or invisible ones';
    if (LOOSE_BLANK.test(text)) return 'Use single spaces, and none at the beginning or the end';
  }
  if (STACKED.test(folded)) return 'Use at most four marks on one letter';
  if (ODD_BLANK.test(name)) return 'Use plain spaces';
  const plain = folded.toLowerCase();
  if (RESERVED.has(plain) || OF_THE_GATE.test(plain)) {
    return 'This word is kept for the service itself; use another name';
  }
  if ([...folded.matchAll(WORD)].some(([word]) => scriptsOf(word) > 1)) {
    return 'Write each word in the letters of one script';
  }
  return undefined;
}

function scriptsOf(word: string): number {
  return LOOK_ALIKES.filter((script) => script.test(word)).length;
}

export const Name = z
  .string()
  .min(1)
  .max(LIMITS.nameChars)
  .superRefine((name, context) => {
    const message = nameProblem(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
