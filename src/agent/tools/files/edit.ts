/** `Edit`: a piece of text in a file for another, where it is plain which piece is meant. */
import * as z from 'zod';
import { countBytes } from '../../../protocol/bytes.ts';
import type { SessionFiles } from '../tool-ports.ts';
import { FilePath } from './file-path.ts';
import { type FileLimits, type FileResult, changed, failed } from './file-result.ts';
import { FileText } from './file-text.ts';
import { missingFile } from './missing-file.ts';
import { roomProblem } from './room-problem.ts';

export const EditInput = z.strictObject({
  path: FilePath,
  oldText: FileText.min(1, 'is empty'),
  newText: FileText,
  replaceAll: z.boolean().default(false),
});

export function edit(
  { path, oldText, newText, replaceAll }: z.infer<typeof EditInput>,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  const entries = files.list();
  const file = files.read(path);
  if (file === undefined) return failed(missingFile(path, entries));
  if (oldText === newText) return failed('oldText and newText are the same: nothing would change.');
  const { content } = file;
  const first = content.indexOf(oldText);
  if (first === -1) return failed(notFound(path, content, oldText));
  const count = countOf(content, oldText, first);
  if (!replaceAll) {
    const isOnlyOne = content.indexOf(oldText, first + 1) === -1;
    if (!isOnlyOne) return failed(notUnique(path, count));
  }
  // Known before it is built: a file of one letter, each replaced by a page, would not fit into memory.
  const bytes = countBytes(content) + count * (countBytes(newText) - countBytes(oldText));
  const problem = roomProblem(path, bytes, entries, limits);
  if (problem !== undefined) return failed(problem);
  const where = count === 1 ? 'one place' : `${count} places`;
  return changed(`Replaced the text in ${where} of ${path}, which now has ${bytes} bytes.`, {
    path,
    // As a function: in a text, `$&` and the like would stand for something else.
    content: content.replaceAll(oldText, () => newText),
  });
}

/** As `replaceAll` counts: one after another, without overlaps. */
function countOf(content: string, piece: string, first: number): number {
  let count = 0;
  for (let at = first; at !== -1; at = content.indexOf(piece, at + piece.length)) count += 1;
  return count;
}

function notFound(path: string, content: string, oldText: string): string {
  const why =
    content.includes('\r\n') && /(^|[^\r])\n/.test(oldText)
      ? 'The lines of this file end with \\r\\n, those of oldText with \\n.'
      : 'It has to match letter for letter, with all spaces and line breaks and without the numbers that Read puts before the lines.';
  return `oldText was not found in ${path}. ${why}`;
}

function notUnique(path: string, count: number): string {
  const times = count === 1 ? 'more than once, overlapping itself' : `${count} times`;
  return `oldText is in ${path} ${times}. Give more of the text around it, or set replaceAll.`;
}
