/**
 * Zod schemas as JSON Schema. A schema with an id is written once, and references point to it.
 *
 * Bodies are written in the form a client sends (`input`), responses in the form it receives (`output`).
 * A schema whose two forms differ needs two ids: one id with two forms is an error. A custom type is
 * written by its own metadata; any other type that JSON Schema cannot express is an error.
 */
import * as z from 'zod';
import { QUERY_SCHEMAS } from '../routes/params.ts';
import type { Schema } from './document.ts';

type Direction = 'input' | 'output';

export interface SchemaRegistry {
  /** The schema itself, or a reference to a schema with an id. */
  write(schema: z.ZodType, direction: Direction): Schema;
  readonly components: Readonly<Record<string, Schema>>;
}

export function createSchemaRegistry(): SchemaRegistry {
  const components: Record<string, Schema> = {};
  return {
    components,
    write(schema, direction) {
      const { it, definitions } = convert(schema, direction);
      for (const [id, definition] of Object.entries(definitions)) {
        const known = components[id];
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
          throw new Error(`The schema ${id} has two meanings; give each its own id`);
        }
        components[id] = definition;
      }
      return it;
    },
  };
}

/** Wraps the schema in an object: zod then treats an id at the root like one inside. */
function convert(schema: z.ZodType, direction: Direction) {
  const written = z.toJSONSchema(z.strictObject({ it: schema }), {
    io: direction,
    unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodCustom ? 'any' : 'throw'),
    override: ({ zodSchema, jsonSchema }) => simplifySchema(zodSchema, jsonSchema),
  });
  const text = JSON.stringify([written.properties?.it ?? {}, written.$defs ?? {}]);
  const moved = text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/');
  const [it, definitions] = JSON.parse(moved) as [Schema, Record<string, Schema>];
  return { it, definitions };
}

function simplifySchema(zodSchema: z.core.$ZodType, written: Schema): void {
  const shown = QUERY_SCHEMAS.get(zodSchema);
  if (shown !== undefined) {
    const { description } = written;
    for (const key of Object.keys(written)) delete written[key];
    Object.assign(written, shown, description !== undefined && { description });
  }
  // Some generators read an object without properties as one that may have none.
  const isFree = written.type === 'object' && written.properties === undefined;
  if (isFree && written.additionalProperties === undefined) written.additionalProperties = true;
  if (written.maximum === Number.MAX_SAFE_INTEGER) delete written.maximum;
  if (written.minimum === Number.MIN_SAFE_INTEGER) delete written.minimum;
  if (JSON.stringify(written.propertyNames) === '{"type":"string"}') delete written.propertyNames;
}
