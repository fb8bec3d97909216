import { isLead } from '../protocol/bytes.ts';

/** Three octets for each at most, which is well below the 2 MB of a row, and a message to the Worker. */
const PART_CHARS = 524_288;
/** Of a part's number in the name of its row: with fewer, the names would not be in the order of the parts. */
export const PART_DIGITS = 3;

/** A text in parts, none of which ends in half of a surrogate pair: storage would replace it. */
export function splitText(text: string, partChars: number = PART_CHARS): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const until = from + partChars;
    const cutsPair = until < text.length && isLead(text.charCodeAt(until - 1));
    const end = cutsPair ? until - 1 : until;
    parts.push(text.slice(from, end));
    from = end;
  }
  return parts;
}
