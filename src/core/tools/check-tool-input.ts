/**
 * Checks a tool's input against the JSON Schema that its agent sent along.
 *
 * Schema and input are strangers', and the check runs in the session: it must not be able to hold the
 * session up. No expression of the schema is run (`pattern`, `patternProperties`), a `format` only if
 * it is one of `form/formats.ts`, and the steps of a check are counted. What is not checked refuses
 * nothing; the tool itself is the last to check its input either way.
 */
import type { JsonObject } from '../../protocol/json.ts';
import { judge } from './schema/judge.ts';
import { readToolSchema } from './schema/read-schema.ts';
import { startRun } from './schema/schema-check.ts';

/** Why a schema cannot be used at all, for when it is opened and its author can still change it. */
export function toolSchemaProblem(schema: JsonObject): string | undefined {
  const read = readToolSchema(schema);
  return read.ok ? undefined : `inputSchema cannot be used: ${read.problem}`;
}

/** By their places in the input, as JSON pointers without the first slash; undefined if it fits. */
export function checkToolInput(
  schema: JsonObject,
  input: JsonObject,
): Record<string, string> | undefined {
  const read = readToolSchema(schema);
  if (!read.ok) return { '': `The tool's schema cannot be used: ${read.problem}` };
  const run = startRun(read.schema);
  const verdict = judge(run, read.schema.root, input);
  if (run.errors.size > 0) return Object.fromEntries(run.errors);
  if (run.isOver) return { '': 'Too large to check against the schema' };
  return verdict === 'unfit' ? { '': 'This does not fit the schema' } : undefined;
}
