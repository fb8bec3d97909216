/** `Edit` replaces a text in a file, if it is clear which occurrence is meant. */
import * as z from 'zod';
import { countBytes } from '../../protocol/bytes.ts';
import type { SessionFiles } from './ports.ts';
import { FileTextInput, filePathInput, findSizeProblem } from './file-rules.ts';
import {
  describeFileTool,
  failWith,
  type FileLimits,
  type FileResult,
  describeMissingFile,
  succeedAndStore,
} from './file-tool.ts';

export const EditFileInput = z.strictObject({
  path: filePathInput('The path of the file'),
  oldText: FileTextInput.min(1, 'is empty').describe(
    'What is there now, letter for letter, with enough around it to be found once.',
  ),
  newText: FileTextInput.describe('What is to be there instead.'),
  replaceAll: z.boolean().default(false).describe('Replace it wherever it is.'),
});

export const editFileTool = describeFileTool(
  'Edit',
  'Replace a piece of text in a file of this session. It has to be in the file exactly as you give it, and once only unless you replace all. Read the file first.',
  EditFileInput,
);

export function editFile(
  { path, oldText, newText, replaceAll }: z.infer<typeof EditFileInput>,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  const entries = files.list();
  const file = files.read(path);
  if (file === undefined) return failWith(describeMissingFile(path, entries));
  if (oldText === newText)
    return failWith('oldText and newText are the same: nothing would change.');
  const { content } = file;
  const first = content.indexOf(oldText);
  if (first === -1) return failWith(describeNotFound(path, content, oldText));
  const count = countMatches(content, oldText, first);
  if (!replaceAll) {
    const isOnlyOne = content.indexOf(oldText, first + 1) === -1;
    if (!isOnlyOne) return failWith(describeNotUnique(path, count));
  }
  // Computed before the text is built: a file of one repeated letter, each replaced by a page, would exceed memory.
  const bytes = countBytes(content) + count * (countBytes(newText) - countBytes(oldText));
  const problem = findSizeProblem(path, bytes, entries, limits);
  if (problem !== undefined) return failWith(problem);
  const where = count === 1 ? 'one place' : `${count} places`;
  return succeedAndStore(
    `Replaced the text in ${where} of ${path}, which now has ${bytes} bytes.`,
    {
      path,
      // A function: in a string, patterns such as `$&` would have a meaning of their own.
      content: content.replaceAll(oldText, () => newText),
    },
  );
}

/** Counts as `replaceAll` does, without overlaps. */
function countMatches(content: string, piece: string, first: number): number {
  let count = 0;
  for (let at = first; at !== -1; at = content.indexOf(piece, at + piece.length)) count += 1;
  return count;
}

function describeNotFound(path: string, content: string, oldText: string): string {
  const why =
    content.includes('\r\n') && /(^|[^\r])\n/.test(oldText)
      ? 'The lines of this file end with \\r\\n, those of oldText with \\n.'
      : 'It has to match letter for letter, with all spaces and line breaks and without the numbers that Read puts before the lines.';
  return `oldText was not found in ${path}. ${why}`;
}

function describeNotUnique(path: string, count: number): string {
  const times = count === 1 ? 'more than once, overlapping itself' : `${count} times`;
  return `oldText is in ${path} ${times}. Give more of the text around it, or set replaceAll.`;
}
