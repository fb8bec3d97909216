/** Text that can be kept in a file. */
import * as z from 'zod';

/** What storage would change without a word. Half a pair in `oldText` would tear a character of the file apart. */
export const FileText = z
  .string()
  .refine((text) => text.isWellFormed(), 'contains half of a surrogate pair')
  .refine((text) => !text.includes('\0'), 'contains the character U+0000');

/** A line break at the end ends the last line and begins no other. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
