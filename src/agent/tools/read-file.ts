/** `Read` gives the lines of a file with their numbers, and the line from which to read on. */
import * as z from 'zod';
import type { SessionFiles } from './ports.ts';
import { linesOf, filePathInput } from './file-rules.ts';
import {
  describeFileTool,
  failWith,
  type FileLimits,
  type FileResult,
  describeMissingFile,
  succeedWith,
} from './file-tool.ts';
import { fitLines } from './fit-text.ts';

export const ReadFileInput = z.strictObject({
  path: filePathInput('The path of the file'),
  offset: z.number().int().min(1).describe('The first line to read; 1 if left out.').optional(),
  limit: z.number().int().min(1).describe('How many lines to read at most.').optional(),
});

export const readFileTool = describeFileTool(
  'Read',
  'Read a text file of this session. You get its lines with their numbers. Read a long file in parts.',
  ReadFileInput,
);

/** Room for the notes below the lines. */
const NOTE_CHARS = 200;

export function readFile(
  { path, offset = 1, limit }: z.infer<typeof ReadFileInput>,
  files: SessionFiles,
  { toolOutputChars }: FileLimits,
): FileResult {
  const file = files.read(path);
  if (file === undefined) return failWith(describeMissingFile(path, files.list()));
  if (file.content === '') return succeedWith(`${path} is empty.`);
  const lines = linesOf(file.content);
  const start = offset - 1;
  const wanted = lines.slice(start, limit === undefined ? undefined : start + limit);
  if (wanted.length === 0) {
    return failWith(`${path} has ${lines.length} lines; there is no line ${offset}.`);
  }
  const numbered = wanted.map((line, index) => `${offset + index}\t${line}`);
  const { text, count, isTorn } = fitLines(numbered, toolOutputChars - NOTE_CHARS);
  const last = start + count;
  const notes: string[] = [];
  if (isTorn) notes.push(`Line ${offset} is too long to be shown whole.`);
  if (last < lines.length) {
    const which = count === 1 ? `Line ${last}` : `Lines ${offset} to ${last}`;
    notes.push(`${which} of ${lines.length}. Read on with offset ${last + 1}.`);
  }
  return succeedWith(notes.length === 0 ? text : `${text}\n\n[${notes.join(' ')}]`);
}
