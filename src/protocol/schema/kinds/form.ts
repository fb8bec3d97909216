/** Form: a few typed fields, described by the flat JSON Schema of MCP elicitation. */
import * as z from 'zod';
import { JsonObjectSchema } from '../interaction.ts';
import { LIMITS } from '../../limits.ts';
import { FormSchema } from './form-schema.ts';

export const FormRequest = z.strictObject({
  title: z.string().min(1).max(LIMITS.titleChars).optional(),
  description: z.string().max(LIMITS.textChars).optional(),
  schema: FormSchema,
});
export type FormRequest = z.infer<typeof FormRequest>;

export const FormAnswer = z.union([
  z.strictObject({ values: JsonObjectSchema }),
  z.strictObject({
    decline: z.literal(true),
    reason: z.string().max(LIMITS.reasonChars).optional(),
  }),
]);
export type FormAnswer = z.infer<typeof FormAnswer>;
