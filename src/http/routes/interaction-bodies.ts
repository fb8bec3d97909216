/**
 * The bodies that open and answer an interaction, as the reference describes them: every known kind in
 * full.
 *
 * A body that opens an interaction is one flat object: the common fields and the fields of its kind. The
 * routes only require an object; the session checks the common fields, and the kind checks the rest.
 */
import * as z from 'zod';
import { KINDS } from '../../core/kinds/index.ts';
import { OpenCommon } from '../../protocol/schema/interaction.ts';

const namedKinds = [...KINDS.values()].map((kind) => ({
  kind,
  /** `plan_review` → `PlanReview`: the schemas of a kind are `OpenPlanReview`, `AnswerPlanReview`. */
  name: kind.name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
}));

const openBodies = namedKinds.map(({ kind, name }) =>
  z
    .strictObject({
      ...OpenCommon,
      kind: z.literal(kind.name),
      ...kind.request.shape,
    })
    .meta({ id: `Open${name}` }),
);
const answerBodies = namedKinds.map(({ kind, name }) => kind.answer.meta({ id: `Answer${name}` }));

export const OpenBody = z
  .discriminatedUnion('kind', openBodies as [(typeof openBodies)[number], ...typeof openBodies])
  .meta({
    id: 'OpenInteraction',
    description: 'By `kind`: the fields of every kind, and its own.',
  });
/** Two kinds may accept the same answer, such as a decline; so `anyOf`, not `oneOf`. */
export const AnswerBody = z
  .union(answerBodies as [z.ZodType, ...z.ZodType[]])
  .meta({ id: 'AnswerInteraction', description: 'By the kind of the interaction.' });
