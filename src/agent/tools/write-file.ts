/** `Write` stores a whole file and replaces an earlier one. */
import * as z from 'zod';
import { countBytes } from '../../protocol/bytes.ts';
import type { SessionFiles } from './ports.ts';
import { FileTextInput, filePathInput, findSizeProblem } from './file-rules.ts';
import {
  describeFileTool,
  failWith,
  type FileLimits,
  type FileResult,
  succeedAndStore,
} from './file-tool.ts';

export const WriteFileInput = z.strictObject({
  path: filePathInput('The path of the file'),
  content: FileTextInput.describe('The whole text of the file.'),
});

export const writeFileTool = describeFileTool(
  'Write',
  'Write a text file of this session, whole. A file of that path is replaced: read it first if you want to keep anything of it. Use Edit for a small change.',
  WriteFileInput,
);

export function writeFile(
  { path, content }: z.infer<typeof WriteFileInput>,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  const entries = files.list();
  const bytes = countBytes(content);
  const problem = findSizeProblem(path, bytes, entries, limits);
  if (problem !== undefined) return failWith(problem);
  const before = entries.find((entry) => entry.path === path);
  const words =
    before === undefined
      ? `Wrote ${path}, which has ${bytes} bytes.`
      : `Replaced ${path}, which had ${before.size} bytes and now has ${bytes}.`;
  return succeedAndStore(words, { path, content });
}
