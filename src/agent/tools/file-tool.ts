/**
 * The common parts of file tools: description, results, and the message for a missing file.
 *
 * The JSON Schema for the model is made from the zod schema of the input, at the first request to a model: most
 * isolates send none.
 */
import { deferPattern } from '../../protocol/defer-pattern.ts';
import * as z from '../../protocol/schema/zod.ts';
import type { ModelTool, ObjectSchema } from '../model.ts';
import type { FileChange, FileEntry, ToolOutput } from './ports.ts';
import { LIMITS } from '../../protocol/limits.ts';

export interface FileResult {
  readonly output: ToolOutput;
  readonly change?: FileChange;
}

/** A subset of `LIMITS`. */
export interface FileLimits {
  readonly fileBytes: number;
  readonly filesPerSession: number;
  readonly filesBytes: number;
  readonly toolOutputChars: number;
}

export function succeedWith(content: string): FileResult {
  return { output: { content, isError: false } };
}

export function succeedAndStore(content: string, change: FileChange): FileResult {
  return { output: { content, isError: false }, change };
}

export function failWith(content: string): FileResult {
  return { output: { content, isError: true } };
}

export function describeFileTool(name: string, description: string, input: z.ZodObject): ModelTool {
  let inputSchema: ObjectSchema | undefined;
  return {
    name,
    description,
    get inputSchema() {
      return (inputSchema ??= toObjectSchema(input));
    },
  };
}

function toObjectSchema(input: z.ZodObject): ObjectSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    override({ jsonSchema }) {
      // zod gives this bound to every integer; it is of no use to a model.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema as ObjectSchema;
}

const MAX_NEAR_PATHS = 5;

/** Names nearby paths: a model misremembers a path more often than a file is missing. */
export function describeMissingFile(path: string, entries: readonly FileEntry[]): string {
  if (entries.length === 0) return `There is no file ${path}. This session has no files yet.`;
  const near = nearPaths(path, entries);
  const nearby = near.length === 0 ? '' : ` Near it: ${near.join(', ')}.`;
  return `There is no file ${path}.${nearby} List shows all files.`;
}

/** Files of the same name first, then those of the same folder. */
function nearPaths(path: string, entries: readonly FileEntry[]): readonly string[] {
  const paths = entries.map((entry) => entry.path);
  const namesakes = paths.filter((other) => lastPathPart(other) === lastPathPart(path));
  const neighbors = paths.filter((other) => folderOf(other) === folderOf(path));
  return [...new Set([...namesakes, ...neighbors])].slice(0, MAX_NEAR_PATHS);
}

function lastPathPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1).toLowerCase();
}

/** Characters that break lines or reverse a path on the screen of the person who approves it. */
const UNSAFE_PATH_CHARS = deferPattern(String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]`, 'u');

/**
 * A path is accepted as it is or refused, never normalized: the gate has judged these very characters, and a file under
 * `plans/` may be written in plan mode without asking. Every path accepted here that begins with `plans/` is a plan to
 * the gate too. The keywords express the rules below as far as JSON Schema can; the model receives them.
 */
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
  if (UNSAFE_PATH_CHARS().test(path)) return 'contains a control character';
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
