/**
 * A tool for files as the model sees it. Its JSON Schema is made from the schema that its input is read with, at the
 * first request to a model: most isolates send none.
 */
import * as z from 'zod';
import type { ModelTool, ObjectSchema } from '../../model.ts';

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
      // zod bounds every whole number so; the bound tells a model nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema as ObjectSchema;
}
