/**
 * Escapes characters that are invisible, that reorder visible ones or that are piled upon them.
 *
 * A person approves the exact text that will run. A right-to-left override, a zero-width space or a tag character in
 * it would make the screen show another text. Line feeds and tabs stay as they are.
 */

import { deferPattern } from './defer-pattern.ts';

/** Control, format, line and paragraph separators, private use, surrogates, unassigned, odd spaces. */
const CATEGORIES = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Zs}`;
/** Invisible although their category is letter or mark: fillers, blanks, variation selectors. */
const BLANKS = String.raw`\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFE00-\uFE0E\uFFA0\u{E0100}-\u{E01EF}`;
/** Marks on one letter after the first so many: a pile of them is drawn over the lines above and below. */
const marksAfter = (count: number) => String.raw`(?<=[\p{Mn}\p{Me}]{${count}})[\p{Mn}\p{Me}]`;
const INVISIBLE = deferPattern(
  String.raw`(?![ \n\t])[${CATEGORIES}${BLANKS}]|${marksAfter(4)}`,
  'gu',
);
/** Characters that deceive even in prose, where a joiner inside an emoji is welcome. */
const DECEIVING = deferPattern(
  String.raw`[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C\u{E0000}-\u{E007F}]|(?![\n\t\r])\p{Cc}|${marksAfter(8)}`,
  'gu',
);

export interface TextPart {
  readonly text: string;
  readonly isEscape: boolean;
}

/** Splits the text into literal runs and single escaped characters. */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(INVISIBLE())) {
    if (index > from) parts.push({ text: text.slice(from, index), isEscape: false });
    parts.push({ text: escapeOf(found), isEscape: true });
    from = index + found.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isEscape: false });
  return parts;
}

export function visibleText(text: string): string {
  return text.replace(INVISIBLE(), escapeOf);
}

/** For prose: escapes only characters that could reorder or hide other text. */
export function escapeInvisible(text: string): string {
  return text.replace(DECEIVING(), escapeOf);
}

function escapeOf(character: string): string {
  if (character === '\r') return String.raw`\r`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return code.length > 4 ? String.raw`\u{${code}}` : String.raw`\u${code.padStart(4, '0')}`;
}
