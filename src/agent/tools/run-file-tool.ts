/**
 * Runs the tools for files: what the model is told, and which file is to be stored with it.
 *
 * Nothing is written here. The change goes into the transaction of the result that tells of it, so that a model never
 * hears of a file that is not there. The input was checked against the schema of its tool, and perhaps changed by a
 * person since; it is read as if nobody had looked at it.
 */
import type * as z from 'zod';
import type { JsonObject } from '../../protocol/json.ts';
import type { SessionFiles } from './tool-ports.ts';
import { EditInput, edit } from './files/edit.ts';
import { type FileLimits, type FileResult, failed } from './files/file-result.ts';
import { ListInput, list } from './files/list.ts';
import { ReadInput, read } from './files/read.ts';
import { WriteInput, write } from './files/write.ts';

export interface FileToolCall {
  readonly name: string;
  readonly input: JsonObject;
}

export function runFileTool(
  { name, input }: FileToolCall,
  files: SessionFiles,
  limits: FileLimits,
): FileResult {
  switch (name) {
    case 'Read':
      return withInput(ReadInput, input, (taken) => read(taken, files, limits));
    case 'Write':
      return withInput(WriteInput, input, (taken) => write(taken, files, limits));
    case 'Edit':
      return withInput(EditInput, input, (taken) => edit(taken, files, limits));
    case 'List':
      return withInput(ListInput, input, (taken) => list(taken, files, limits));
    default:
      return noSuchTool(name);
  }
}

function withInput<Input>(
  schema: z.ZodType<Input>,
  input: JsonObject,
  run: (input: Input) => FileResult,
): FileResult {
  const parsed = schema.safeParse(input);
  if (parsed.success) return run(parsed.data);
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  return failed(`The input cannot be used: ${problems.join('; ')}.`);
}

/** Which tools are for files is decided elsewhere, and a call comes out of storage. */
function noSuchTool(name: string): FileResult {
  return failed(`There is no tool ${name} for files.`);
}
