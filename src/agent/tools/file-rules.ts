/**
 * The one way to write the path of a file.
 *
 * A path is taken as it is or refused, never tidied up: the gate has judged these very characters, and a file under
 * `plans/` may be written in plan mode without asking. Whatever is taken here and begins with `plans/` is a plan to
 * the gate too.
 */
import * as z from 'zod';
import type { FileEntry } from './ports.ts';
import type { FileLimits } from './file-tool.ts';

const MAX_FILE_PATH_CHARS = 500;

/** They break lines, or turn a path around on the screen of the person who is asked about it. */
const UNSAFE_PATH_CHARS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The keywords are what JSON Schema can say of the rules below; they go to the model. */
const FilePathInput = z
  .string()
  .superRefine((path, context) => {
    const problem = findPathProblem(path);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ minLength: 1, maxLength: MAX_FILE_PATH_CHARS });

export function filePathInput(what: string) {
  return FilePathInput.describe(
    `${what}, such as “notes/today.md”: relative, with / and without “..”.`,
  );
}

export function findPathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > MAX_FILE_PATH_CHARS) return `has more than ${MAX_FILE_PATH_CHARS} characters`;
  // Storage would write something else in its place, and two paths would become one.
  if (!path.isWellFormed()) return 'contains half of a surrogate pair';
  if (UNSAFE_PATH_CHARS.test(path)) return 'contains a control character';
  if (path.includes('\\')) return 'contains a backslash; use / between folders';
  if (path.startsWith('/')) return 'begins with /; use a relative path such as notes/today.md';
  const parts = path.split('/');
  if (parts.includes('')) return 'has two slashes in a row, or one at the end';
  if (parts.includes('.') || parts.includes('..')) return 'has a part that is “.” or “..”';
  return undefined;
}

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

/** What storage would change without a word. Half a pair in `oldText` would tear a character of the file apart. */
export const FileTextInput = z
  .string()
  .refine((text) => text.isWellFormed(), 'contains half of a surrogate pair')
  .refine((text) => !text.includes('\0'), 'contains the character U+0000');

/** A line break at the end ends the last line and begins no other. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
