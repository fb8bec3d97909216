/** A large input as pages that a browser draws at once: its fields, and long texts in several pieces. */
import { type InputPair, inputPairs } from '../folding.ts';
import { t } from '../language.ts';

interface InputPiece extends InputPair {
  /** The field began on an earlier page. */
  readonly isContinued: boolean;
}

export type InputPage = readonly InputPiece[];

/** As much text as a browser wraps in a moment. */
export const PAGE_CHARS = 65_536;
/** What a field takes beside its text; it bounds the number of fields on a page. */
const FIELD_CHARS = 64;
/** A page ends with a line if one ends in its last part. */
const LINE_CHARS = 4_096;

/** `text` is canonical JSON. One that doubles do not hold is shown as it is. */
export function inputPages(
  text: string,
  { isText = false }: { readonly isText?: boolean | undefined },
): readonly InputPage[] {
  const pairs = isText ? undefined : inputPairs(JSON.parse(text));
  const pages: InputPiece[][] = [[]];
  let left = PAGE_CHARS;
  for (const { name, text: all } of pairs ?? [{ name: t('input as JSON text'), text }]) {
    let at = 0;
    do {
      if (left <= FIELD_CHARS + name.length && left < PAGE_CHARS) {
        pages.push([]);
        left = PAGE_CHARS;
      }
      const end = endOfPiece(all, at, Math.max(left - FIELD_CHARS - name.length, LINE_CHARS));
      pages.at(-1)?.push({ name, text: all.slice(at, end), isContinued: at > 0 });
      left -= end - at + FIELD_CHARS + name.length;
      at = end;
      // The rest of a field begins the next page.
      if (at < all.length) left = 0;
    } while (at < all.length);
  }
  return pages;
}

/** Never in the middle of a surrogate pair. */
function endOfPiece(text: string, from: number, maxChars: number): number {
  const most = from + maxChars;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf('\n', most - 1) + 1;
  if (line > Math.max(from, most - LINE_CHARS)) return line;
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
}
