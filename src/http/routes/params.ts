/**
 * Parameters that several routes share, with their words for the reference.
 *
 * A query parameter is text to zod; `QUERY_FORMS` says what JSON type a reader sees instead.
 */
import * as z from 'zod';
import { Cursor } from '../../protocol/schema/cursor.ts';
import { InteractionId, SessionId } from '../../protocol/schema/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Schema } from '../openapi/document.ts';
import type { RequestHeader } from '../route.ts';

const id = SessionId.meta({ description: 'The session.', example: 'ses_example' });
const iid = InteractionId.meta({ description: 'The interaction.', example: 'call_1~1' });

export const InSession = z.strictObject({ id });
export const InInteraction = z.strictObject({ id, iid });

export const TargetId = z
  .string()
  .regex(/^tgt_[A-Za-z0-9]{1,64}$/)
  .meta({ description: 'The target.', example: 'tgt_example' });
const DeliveryId = z
  .string()
  .regex(/^msg_[A-Za-z0-9]{1,64}_\d{1,15}$/)
  .meta({ description: 'The delivery: its `webhook-id`.', example: 'msg_example_1' });

export const RuleId = z
  .string()
  .max(128)
  .meta({ description: 'The rule.', example: 'rule_example' });

/** Only digits: other text is a mistake of the caller, and must not count as 0. */
export const WholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'Use a whole number')
  .transform(Number);

export const PageSize = WholeNumber.refine(
  (value) => value >= 1 && value <= LIMITS.pageMax,
  `Use 1 to ${LIMITS.pageMax}`,
).describe(`The most entries of a page; ${LIMITS.pageDefault} if left out.`);

export const QUERY_SCHEMAS = z
  .registry<Schema>()
  .add(WholeNumber, { type: 'integer', minimum: 0 })
  .add(PageSize, { type: 'integer', minimum: 1, maximum: LIMITS.pageMax });

export const Before = Cursor.describe('The `next` of the previous page: only older entries.');
export const After = Cursor.describe('The `next` of the previous page: only later entries.');
export const AfterSeq = WholeNumber.describe('Only events after this `seq` of the log.');

export const ACCEPT_STREAM: RequestHeader = {
  name: 'Accept',
  description: '`text/event-stream` follows live instead of reading one page.',
  schema: { type: 'string' },
};

/** In the path of one delivery of a target. */
export const OfDelivery = z.strictObject({ targetId: TargetId, deliveryId: DeliveryId });
