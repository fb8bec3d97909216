/** What the routes of interactions read and reply, as the reference describes it. */
import * as z from '../../protocol/schema/zod.ts';
import { FrameError } from '../../protocol/schema/frame.ts';
import { InteractionView, OpenCommon } from '../../protocol/schema/interaction.ts';
import { KINDS } from '../../core/kinds/index.ts';

/**
 * The bodies that open and answer an interaction, as the reference describes them: every known kind in
 * full. A body that opens an interaction is one flat object: the common fields and the fields of its kind.
 * The routes require only an object; the session checks the common fields, and the kind checks the rest.
 */
const namedKinds = [...KINDS.values()].map((kind) => ({
  kind,
  /** `plan_review` → `PlanReview`: the schemas of a kind are `OpenPlanReview`, `AnswerPlanReview`. */
  name: kind.name.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
}));

const openBodies = namedKinds.map(({ kind, name }) =>
  z
    .defer(() =>
      z.strictObject({ ...OpenCommon, kind: z.literal(kind.name), ...kind.request.shape }),
    )
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

export const InteractionReply = z
  .strictObject({ interaction: InteractionView })
  .meta({ id: 'InteractionReply' });
/** Of the batches here and in the inbox. */
export const DecideResults = z
  .strictObject({
    results: z.array(
      z.discriminatedUnion('ok', [
        z.strictObject({ ok: z.literal(true), interaction: InteractionView }),
        z.strictObject({ ok: z.literal(false), error: FrameError }),
      ]),
    ),
  })
  .meta({ id: 'DecideResults' });
