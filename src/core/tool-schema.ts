/**
 * Checks an edited input against the JSON Schema its agent sent along.
 *
 * The schema is the agent's and the check runs in the session, so it must not be able to hold the
 * session up. Regular expressions and `uniqueItems` are left out: the one can run for minutes, the
 * other compares everything with everything. References may not go in circles, and a schema is
 * measured with its references written out, because each level of them can double its size. The
 * tool itself is the last to check its input either way.
 */
import { type Schema, Validator } from '@cfworker/json-schema';
import type { Json, JsonObject } from '../protocol/json.ts';

const LEFT_OUT = new Set(['pattern', 'patternProperties', 'uniqueItems']);
/** Maps whose keys are names, where "pattern" is an ordinary property. */
const NAME_MAPS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
/** Together they bound a check to some ten million steps, a fraction of a second. */
const MAX_SCHEMA_NODES = 2_000;
const MAX_INPUT_NODES = 5_000;

function withoutCostly(schema: Json, keysAreNames = false): Json {
  if (Array.isArray(schema)) return schema.map((item) => withoutCostly(item));
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([key]) => keysAreNames || !LEFT_OUT.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutCostly(value, !keysAreNames && NAME_MAPS.has(key))]),
  );
}

function validatorFor(schema: JsonObject): Validator {
  return new Validator(withoutCostly(schema) as Schema, '2020-12', false);
}

/** A schema that cannot be used at all, said at opening, while its author can still be told. */
export function toolSchemaProblem(schema: JsonObject): string | undefined {
  const size = unfoldedNodes(schema, schema, new Set());
  if (typeof size === 'string') return `inputSchema cannot be used: ${size}`;
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
  if (countNodes(input) > MAX_INPUT_NODES) return { '': 'Too large to check against the schema' };
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

function countNodes(value: Json): number {
  if (value === null || typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + countNodes(child), 1);
}

/** How many parts the schema has with references written out, or why it cannot be used. */
function unfoldedNodes(root: JsonObject, part: Json, inside: ReadonlySet<string>): number | string {
  if (part === null || typeof part !== 'object') return 1;
  let total = 1;
  for (const [key, child] of Object.entries(part)) {
    const isReference = REFERENCES.includes(key) && typeof child === 'string';
    const size = isReference
      ? referencedNodes(root, child, inside)
      : unfoldedNodes(root, child, inside);
    if (typeof size === 'string') return size;
    total += size;
    if (total > MAX_SCHEMA_NODES) return `it has more than ${MAX_SCHEMA_NODES} parts`;
  }
  return total;
}

function referencedNodes(
  root: JsonObject,
  reference: string,
  inside: ReadonlySet<string>,
): number | string {
  if (!reference.startsWith('#')) return `the reference "${reference}" leaves the schema`;
  if (inside.has(reference)) return `the reference "${reference}" goes in a circle`;
  const target = partAt(root, reference);
  if (target === undefined) return `nothing is at "${reference}"`;
  return unfoldedNodes(root, target, new Set(inside).add(reference));
}

/** Only plain JSON pointers; named anchors and escaped characters are refused as unknown. */
function partAt(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let part: Json | undefined = root;
  for (const step of reference.slice(2).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (part === null || typeof part !== 'object') return undefined;
    part = Object.hasOwn(part, key) ? (part as JsonObject)[key] : undefined;
  }
  return part;
}
