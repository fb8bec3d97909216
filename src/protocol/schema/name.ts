/**
 * A name that is shown beside decisions: the subject of a token, the name of a key.
 *
 * People judge from it who approved, so the screen must show exactly its characters: no invisible ones, no change of the
 * text direction, no second line, no word that the service itself writes. Each check runs on the given text and on its
 * compatibility form (NFKC), in which `ａｄｍｉｎ` is `admin`.
 *
 * One word may not mix scripts: a Cyrillic `а` in `аda` is refused, `Ада` and `Ada Лавлейс` are accepted. A whole word in
 * letters that look like another script is not detected; `credential` beside the subject identifies the actor.
 */
import * as z from './zod.ts';
import { deferPattern } from '../defer-pattern.ts';
import { LIMITS } from '../limits.ts';

/** Controls, formats, surrogates, private and unassigned characters, line ends, and characters without a glyph. */
const INVISIBLE_IN_NAME = deferPattern(
  String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`,
  'u',
);
/** More marks than any script puts on one letter; they would cover the lines around it. */
const STACKED = deferPattern(String.raw`\p{M}{5}`, 'u');
/** Blanks that look like a space. */
const ODD_BLANK = deferPattern(String.raw`(?! )\p{Zs}`, 'u');
const LOOSE_BLANK = /^ | $| {2}/;
const WORD_OF_NAME = deferPattern(String.raw`[\p{L}\p{M}]+`, 'gu');
/** Scripts whose letters look alike. */
const LOOK_ALIKES = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'].map((script) =>
  deferPattern(String.raw`\p{Script=${script}}`, 'u'),
);
/** Subjects that the service itself writes, and the reader's own name in the chat. */
const RESERVED: ReadonlySet<string> = new Set([
  'admin',
  'system',
  'timeout',
  'rule',
  'mode',
  'built-in agent',
  'you',
]);
/** The subject of a gate decision in the audit list. */
const OF_THE_GATE = /^(rule|mode) /;

/** Ids of credentials, targets and users of Slack, which records show in the place of a name. */
const OF_AN_ID = /^(slack:|tgt_|key_|tok_|per_)/;

/** The problem with the name as a sentence; undefined for a good name. */
export function nameProblem(name: string): string | undefined {
  const folded = name.normalize('NFKC');
  for (const text of [name, folded]) {
    if (INVISIBLE_IN_NAME().test(text))
      return 'Use characters that are drawn: no control or invisible ones';
    if (LOOSE_BLANK.test(text)) return 'Use single spaces, and none at the beginning or the end';
  }
  if (STACKED().test(folded)) return 'Use at most four marks on one letter';
  if (ODD_BLANK().test(name)) return 'Use plain spaces';
  const plain = folded.toLowerCase();
  if (RESERVED.has(plain) || OF_THE_GATE.test(plain) || OF_AN_ID.test(plain)) {
    return 'This word is kept for the service itself; use another name';
  }
  if ([...folded.matchAll(WORD_OF_NAME())].some(([word]) => scriptsOf(word) > 1)) {
    return 'Write each word in the letters of one script';
  }
  return undefined;
}

function scriptsOf(word: string): number {
  return LOOK_ALIKES.filter((script) => script().test(word)).length;
}

export const Name = z
  .string()
  .min(1)
  .max(LIMITS.nameChars)
  .superRefine((name, context) => {
    const message = nameProblem(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
