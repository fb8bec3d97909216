/** `Write`: a whole file, in place of what was there. */
import * as z from 'zod';
import { countBytes } from '../../../protocol/bytes.ts';
import type { SessionFiles } from '../tool-ports.ts';
import { FilePath } from './file-path.ts';
import { type FileLimits, type FileResult, changed, failed } from './file-result.ts';
import { FileText } from './file-text.ts';
import { roomProblem } from './room-problem.ts';

export const WriteInput = z.strictObject({ path: FilePath, content: FileText });

export function write(
  { path, content }: z.infer<typeof WriteInput>,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  const entries = files.list();
  const bytes = countBytes(content);
  const problem = roomProblem(path, bytes, entries, limits);
  if (problem !== undefined) return failed(problem);
  const before = entries.find((entry) => entry.path === path);
  const words =
    before === undefined
      ? `Wrote ${path}, which has ${bytes} bytes.`
      : `Replaced ${path}, which had ${before.size} bytes and now has ${bytes}.`;
  return changed(words, { path, content });
}
