/**
 * The one way to write the path of a file.
 *
 * A path is taken as it is or refused, never tidied up: the gate has judged these very characters, and a file under
 * `plans/` may be written in plan mode without asking. Whatever is taken here and begins with `plans/` is a plan to
 * the gate too.
 */
import * as z from 'zod';

const PATH_CHARS = 500;

/** They break lines, or turn a path around on the screen of the person who is asked about it. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The keywords are what JSON Schema can say of the rules below; they go to the model. */
const FilePath = z
  .string()
  .superRefine((path, context) => {
    const problem = filePathProblem(path);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ minLength: 1, maxLength: PATH_CHARS });

export function pathOf(what: string) {
  return FilePath.describe(`${what}, such as “notes/today.md”: relative, with / and without “..”.`);
}

export function filePathProblem(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.length > PATH_CHARS) return `has more than ${PATH_CHARS} characters`;
  // Storage would write something else in its place, and two paths would become one.
  if (!path.isWellFormed()) return 'contains half of a surrogate pair';
  if (UNSEEN.test(path)) return 'contains a control character';
  if (path.includes('\\')) return 'contains a backslash; use / between folders';
  if (path.startsWith('/')) return 'begins with /; use a relative path such as notes/today.md';
  const parts = path.split('/');
  if (parts.includes('')) return 'has two slashes in a row, or one at the end';
  if (parts.includes('.') || parts.includes('..')) return 'has a part that is “.” or “..”';
  return undefined;
}
