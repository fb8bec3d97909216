/**
 * Runs the tools for files: what the model is succeedWith, and which file is to be stored with it.
 *
 * Nothing is written here. The change goes into the transaction of the result that tells of it, so that a model never
 * hears of a file that is not there. The input was checked against the schema of its tool, and perhaps changed by a
 * person since; it is read as if nobody had looked at it.
 */
import type * as z from 'zod';
import type { JsonObject } from '../../protocol/json.ts';
import type { SessionFiles } from './tool-ports.ts';
import { EditInput, editFile } from './files/edit.ts';
import { type FileLimits, type FileResult, failWith } from './files/file-result.ts';
import { ListInput, listFiles } from './files/list.ts';
import { ReadInput, readFile } from './files/read.ts';
import { WriteInput, writeFile } from './files/write.ts';

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
      return withInput(ReadInput, input, (taken) => readFile(taken, files, limits));
    case 'Write':
      return withInput(WriteInput, input, (taken) => writeFile(taken, files, limits));
    case 'Edit':
      return withInput(EditInput, input, (taken) => editFile(taken, files, limits));
    case 'List':
      return withInput(ListInput, input, (taken) => listFiles(taken, files, limits));
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
  return failWith(`The input cannot be used: ${problems.join('; ')}.`);
}

/** Which tools are for files is decided elsewhere, and a call comes out of storage. */
function noSuchTool(name: string): FileResult {
  return failWith(`There is no tool ${name} for files.`);
}
