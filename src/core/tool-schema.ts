/**
 * Checks an edited input against the JSON Schema its agent sent along.
 *
 * Regular expressions in that schema are left out: they are the agent's, they would run against a
 * person's text, and the platform's matcher can be made to run for minutes. The tool itself is the
 * last to check its input either way.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import type { Json, JsonObject } from '../protocol/json.ts';

const PATTERN_KEYWORDS = new Set(['pattern', 'patternProperties']);
/** Maps whose keys are names, where "pattern" is an ordinary property. */
const NAME_MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);

function withoutPatterns(schema: Json, keysAreNames = false): Json {
  if (Array.isArray(schema)) return schema.map((item) => withoutPatterns(item));
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([key]) => keysAreNames || !PATTERN_KEYWORDS.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutPatterns(value, !keysAreNames && NAME_MAPS.has(key))]),
  );
}

function validatorFor(schema: JsonObject): Validator {
  return new Validator(withoutPatterns(schema) as Schema, '2020-12', false);
}

/** A schema that cannot be used at all (an unknown reference, a wrong type), said at opening. */
export function toolSchemaProblem(schema: JsonObject): string | undefined {
  try {
    validatorFor(schema).validate({});
    return undefined;
  } catch (cause) {
    return `inputSchema cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

export function checkToolInput(
  schema: JsonObject,
  input: JsonObject,
): Record<string, string> | undefined {
  let result: ReturnType<Validator['validate']>;
  try {
    result = validatorFor(schema).validate(input);
  } catch (cause) {
    return { '': cause instanceof Error ? cause.message : String(cause) };
  }
  if (result.valid) return undefined;
  const leaves = result.errors.filter(
    (error) => !['properties', '$ref', 'items'].includes(error.keyword),
  );
  return Object.fromEntries(
    leaves.map((error) => [error.instanceLocation.replace(/^#\/?/, ''), error.error]),
  );
}
