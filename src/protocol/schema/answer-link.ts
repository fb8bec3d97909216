/** Answer links: an address that answers one interaction in the name of one subject. */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';
import { Name } from './name.ts';
import { InboundAnswer } from './target.ts';

/** What a link may be used for: the decisions of an approval and a plan, and the answers of questions, forms and links. */
const LINK_ANSWERS = [
  'approve',
  'deny',
  'allow_for_session',
  'answer',
  'submit',
  'opened',
  'done',
  'decline',
  'edit',
  'clean_edit',
  'default',
  'adjust',
] as const;
export const LinkAnswer = z.enum(LINK_ANSWERS);
export type LinkAnswer = z.infer<typeof LinkAnswer>;

export const CreateAnswerLink = z
  .strictObject({
    subject: Name.describe('In whose name the link answers.'),
    answers: z
      .array(LinkAnswer)
      .min(1)
      .max(LINK_ANSWERS.length)
      .exactOptional()
      .describe(
        'By kind: `approve`, `deny`, `allow_for_session`; `answer`, `decline`; `edit`, `clean_edit`, `default`, `adjust`; `submit`, `decline`; `opened`, `done`, `decline`. Left out, it is all of them but `allow_for_session`.',
      ),
    ttlSeconds: z.number().int().min(1).max(LIMITS.tokenMaxSeconds).exactOptional(),
  })
  .meta({ id: 'CreateAnswerLink' });

export const MadeAnswerLink = z
  .strictObject({ url: z.string(), expiresAt: z.number() })
  .meta({ id: 'MadeAnswerLink' });
export type MadeAnswerLink = z.infer<typeof MadeAnswerLink>;

export const AnswerByLink = InboundAnswer.safeExtend({
  read: z
    .literal(true)
    .exactOptional()
    .describe('All of a request was read of which the page folds a part'),
}).meta({ id: 'AnswerByLink' });
export type AnswerByLink = z.infer<typeof AnswerByLink>;
