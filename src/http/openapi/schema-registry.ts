/**
 * Zod schemas as JSON Schema. A schema with an id is written down once and pointed at from then on.
 *
 * Bodies are written as they are sent (`input`), answers as they are received (`output`). One id has
 * one meaning: a schema that reads differently in the two directions needs two ids, and says so
 * here. A custom type is written as its own metadata says; other types that JSON Schema has no words
 * for are refused.
 */
import * as z from 'zod';
import { QUERY_SCHEMAS } from '../routes/params.ts';
import type { Schema } from './document.ts';

type Direction = 'input' | 'output';

export interface SchemaRegistry {
  /** The schema itself, or a pointer to it when it has an id. */
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

/** Wrapped in an object, so that a schema with an id is treated alike at the root and inside. */
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
  // What says nothing of its fields takes any: some generators read it as an object without any.
  const isFree = written.type === 'object' && written.properties === undefined;
  if (isFree && written.additionalProperties === undefined) written.additionalProperties = true;
  if (written.maximum === Number.MAX_SAFE_INTEGER) delete written.maximum;
  if (written.minimum === Number.MIN_SAFE_INTEGER) delete written.minimum;
  if (JSON.stringify(written.propertyNames) === '{"type":"string"}') delete written.propertyNames;
}
