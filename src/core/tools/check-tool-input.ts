/**
 * Checks the input of a tool against the JSON Schema that the agent sent with the call.
 *
 * Schema and input are untrusted, and the check runs inside the session, so it must end soon. It runs no regular
 * expression of the schema (`pattern`, `patternProperties`), checks a `format` only if `forms/formats.ts` knows it, and
 * counts its steps. A keyword that is not checked rejects nothing; the tool itself checks its input last.
 */
import type { JsonObject } from '../../protocol/json.ts';
import { judgeSchema } from './schema/judge.ts';
import { readToolSchema } from './schema/read-schema.ts';
import { startCheck } from './schema/schema-check.ts';

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
  const check = startCheck(read.schema);
  const verdict = judgeSchema(check, read.schema.root, input);
  if (check.errors.size > 0) return Object.fromEntries(check.errors);
  if (check.isOver) return { '': 'Too large to check against the schema' };
  return verdict === 'unfit' ? { '': 'This does not fit the schema' } : undefined;
}
