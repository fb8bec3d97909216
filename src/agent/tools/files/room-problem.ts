/** Whether a file of so many bytes still fits into its session. */
import type { FileEntry } from '../tool-ports.ts';
import type { FileLimits } from './file-result.ts';

export function roomProblem(
  path: string,
  bytes: number,
  entries: readonly FileEntry[],
  { fileBytes, filesPerSession, filesBytes }: FileLimits,
): string | undefined {
  if (bytes > fileBytes) {
    return `${path} would have ${bytes} bytes; the limit for a file is ${fileBytes}.`;
  }
  const before = entries.find((entry) => entry.path === path);
  if (before === undefined && entries.length >= filesPerSession) {
    return `This session has ${entries.length} files; the limit is ${filesPerSession}. Write into one of them.`;
  }
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const after = total - (before?.size ?? 0) + bytes;
  // A file may always become smaller: that is the way back under the limit.
  if (after > filesBytes && after > total) {
    return `The files of this session would have ${after} bytes together; the limit is ${filesBytes}. Make one of them shorter first.`;
  }
  return undefined;
}
