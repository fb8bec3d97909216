/** `Read`: the lines of a file with their numbers, and where to read on. */
import * as z from 'zod';
import type { SessionFiles } from '../tool-ports.ts';
import { FilePath } from './file-path.ts';
import { type FileLimits, type FileResult, failed, told } from './file-result.ts';
import { linesOf } from './file-text.ts';
import { fittingLines } from './fitting-lines.ts';
import { missingFile } from './missing-file.ts';

export const ReadInput = z.strictObject({
  path: FilePath,
  offset: z.number().int().min(1).default(1),
  limit: z.number().int().min(1).optional(),
});

/** What the notes below the lines may take. */
const NOTE_CHARS = 200;

export function read(
  { path, offset, limit }: z.infer<typeof ReadInput>,
  files: SessionFiles,
  { toolOutputChars }: FileLimits,
): FileResult {
  const file = files.read(path);
  if (file === undefined) return failed(missingFile(path, files.list()));
  if (file.content === '') return told(`${path} is empty.`);
  const lines = linesOf(file.content);
  const start = offset - 1;
  const wanted = lines.slice(start, limit === undefined ? undefined : start + limit);
  if (wanted.length === 0) {
    return failed(`${path} has ${lines.length} lines; there is no line ${offset}.`);
  }
  const numbered = wanted.map((line, index) => `${offset + index}\t${line}`);
  const { text, count, isTorn } = fittingLines(numbered, toolOutputChars - NOTE_CHARS);
  const last = start + count;
  const notes: string[] = [];
  if (isTorn) notes.push(`Line ${offset} is too long to be shown whole.`);
  if (last < lines.length) {
    const which = count === 1 ? `Line ${last}` : `Lines ${offset} to ${last}`;
    notes.push(`${which} of ${lines.length}. Read on with offset ${last + 1}.`);
  }
  return told(notes.length === 0 ? text : `${text}\n\n[${notes.join(' ')}]`);
}
