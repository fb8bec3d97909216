/**
 * The common parts of file tools: description, results, and the message for a missing file.
 *
 * The JSON Schema for the model is made from the zod schema of the input, at the first request to a model: most
 * isolates send none.
 */
import * as z from 'zod';
import type { ModelTool, ObjectSchema } from '../model.ts';
import type { FileChange, FileEntry, ToolOutput } from './ports.ts';

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
