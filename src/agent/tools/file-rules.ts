/**
 * The rules for the path, text and size of a file.
 *
 * A path is accepted as it is or refused, never normalized: the gate has judged these very characters, and a file under
 * `plans/` may be written in plan mode without asking. Every path accepted here that begins with `plans/` is a plan to
 * the gate too.
 */
import { LIMITS } from '../../protocol/limits.ts';
import * as z from 'zod';
import type { FileEntry } from './ports.ts';
import type { FileLimits } from './file-tool.ts';

/** Characters that break lines or reverse a path on the screen of the person who approves it. */
const UNSAFE_PATH_CHARS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The keywords express the rules below as far as JSON Schema can; the model receives them. */
const FilePathInput = z
  .string()
  .superRefine((path, context) => {
    const problem = findPathProblem(path);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ minLength: 1, maxLength: LIMITS.filePathChars });

export function filePathInput(what: string) {
  return FilePathInput.describe(
    `${what}, such as “notes/today.md”: relative, with / and without “..”.`,
  );
}

export function findPathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > LIMITS.filePathChars) return `has more than ${LIMITS.filePathChars} characters`;
  // Storage would replace it, and two paths would become one.
  if (!path.isWellFormed()) return 'contains half of a surrogate pair';
  if (UNSAFE_PATH_CHARS.test(path)) return 'contains a control character';
  if (path.includes('\\')) return 'contains a backslash; use / between folders';
  if (path.startsWith('/')) return 'begins with /; use a relative path such as notes/today.md';
  const parts = path.split('/');
  if (parts.includes('')) return 'has two slashes in a row, or one at the end';
  if (parts.includes('.') || parts.includes('..')) return 'has a part that is “.” or “..”';
  return undefined;
}

/** Says why a file of this size does not fit into its session; undefined if it does. */
export function findSizeProblem(
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

/** Text that storage keeps unchanged. Half a surrogate pair in `oldText` would split a character of the file. */
export const FileTextInput = z
  .string()
  .refine((text) => text.isWellFormed(), 'contains half of a surrogate pair')
  .refine((text) => !text.includes('\0'), 'contains the character U+0000');

/** A final line break ends the last line and starts no other. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
