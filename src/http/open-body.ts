/**
 * The body of an opening: one flat object, common fields and those of its kind together.
 *
 * Here it only has to be an object; the session checks the common part and hands the rest to the
 * kind. The reference shows every known kind in full.
 */
import * as z from 'zod';
import { KINDS } from '../core/kinds/index.ts';
import { OpenCommon, JsonObjectSchema } from '../protocol/interaction.ts';

const named = [...KINDS.values()].map((kind) => ({
  kind,
  /** `plan_review` → `PlanReview`: the schemas of a kind are `OpenPlanReview`, `AnswerPlanReview`. */
  name: kind.name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
}));

const shapes = named.map(({ kind, name }) =>
  z
    .strictObject({
      ...OpenCommon,
      kind: z.literal(kind.name),
      ...kind.request.shape,
    })
    .meta({ id: `Open${name}` }),
);
const answers = named.map(({ kind, name }) => kind.answer.meta({ id: `Answer${name}` }));

export const openBody = JsonObjectSchema;
export const openBodyShown = z
  .discriminatedUnion('kind', shapes as [(typeof shapes)[number], ...typeof shapes])
  .meta({ id: 'OpenInteraction', description: 'By `kind`: what every kind takes, and its own.' });
/** Two kinds may read the same words, a refusal to answer for one; so any of them, not one of them. */
export const answerBodyShown = z
  .union(answers as [z.ZodType, ...z.ZodType[]])
  .meta({ id: 'AnswerInteraction', description: 'By the kind of the interaction.' });
