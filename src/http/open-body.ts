/**
 * The body of an opening: one flat object, common fields and those of its kind together.
 *
 * Here it only has to be an object; the session checks the common part and hands the rest to the
 * kind. The reference shows every known kind in full.
 */
import * as z from 'zod';
import { KINDS } from '../core/kinds/index.ts';
import { OpenCommon, JsonObjectSchema } from '../protocol/interaction.ts';

const shapes = [...KINDS.values()].map((kind) =>
  z.strictObject({
    ...OpenCommon,
    kind: z.literal(kind.name),
    ...(kind.request as unknown as z.ZodObject).shape,
  }),
);

export const openBody = JsonObjectSchema.meta({ id: 'OpenInteraction' });
export const openBodyShown = z.union(shapes as [(typeof shapes)[number], ...typeof shapes]);
export const answerBodyShown = z.union(
  [...KINDS.values()].map((kind) => kind.answer) as unknown as [z.ZodType, ...z.ZodType[]],
);
