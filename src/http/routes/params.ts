/**
 * Parameters that several routes share, with their words for the reference.
 *
 * A query parameter is text to zod; `QUERY_FORMS` says what JSON type a reader sees instead.
 */
import * as z from '../../protocol/schema/zod.ts';
import { Cursor } from '../../protocol/schema/cursor.ts';
import { InteractionId, SessionId } from '../../protocol/schema/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Schema } from '../openapi/document.ts';
import { type RequestHeader, LOG_TAG, type RouteCall } from '../route.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import { wantsStream } from '../accept.ts';

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

export const QUERY_FORMS: readonly (readonly [z.ZodType, Schema])[] = [
  [WholeNumber, { type: 'integer', minimum: 0 }],
  [PageSize, { type: 'integer', minimum: 1, maximum: LIMITS.pageMax }],
];

export const Before = Cursor.describe('The `next` of the previous page: only older entries.');
export const After = Cursor.describe('The `next` of the previous page: only later entries.');
const AfterSeq = WholeNumber.describe('Only events after this `seq` of the log.');

export const ACCEPT_STREAM: RequestHeader = {
  name: 'Accept',
  description: '`text/event-stream` follows live instead of reading one page.',
  schema: { type: 'string' },
};

/** In the path of one delivery of a target. */
export const OfDelivery = z.strictObject({ targetId: TargetId, deliveryId: DeliveryId });

const LAST_EVENT_ID: RequestHeader = {
  name: 'Last-Event-ID',
  description:
    'The `seq` after which a stream goes on; wins over `after`. Browsers send the header themselves.',
  schema: { type: 'integer', minimum: 0 },
};

const LastEvents = PageSize.describe('Begins with so many of the last events; without `after`.');
const START = { after: AfterSeq.optional(), last: LastEvents.optional() };
const ONE_START = { message: 'Send `after` or `last`, not both', path: ['last'] };
const hasOneStart = ({ after, last }: { after?: unknown; last?: unknown }) =>
  after === undefined || last === undefined;

/** Where a reader of the log begins. */
export const LogStart = z.strictObject(START).refine(hasOneStart, ONE_START);

/** As the session takes it: negative for so many of the last events. */
export function cursorOf({ after = 0, last }: z.output<typeof LogStart>): number {
  return last === undefined ? after : -last;
}

export const LogQuery = z
  .strictObject({ ...START, limit: PageSize.optional() })
  .refine(hasOneStart, ONE_START);

const PageQuery = z.strictObject({ after: AfterSeq.optional(), limit: PageSize.optional() });

export const READS_LOG = {
  method: 'GET',
  tag: LOG_TAG,
  access: { in: 'session', anyOf: ['read'] },
  params: InSession,
  query: PageQuery,
  headers: [ACCEPT_STREAM, LAST_EVENT_ID],
  errorCodes: ['cursor_ahead'],
} as const;

export const CURSOR_AHEAD = {
  description: '`cursor_ahead`: the cursor is beyond the head; `details` has the head',
};

interface LogReading {
  readonly ok: true;
  readonly isStream: boolean;
  readonly after: number;
  /** Of a page. */
  readonly limit: number;
}

/**
 * What the routes that read the log share: a page of it after a cursor, or all that follows the cursor as a stream
 * (LOG-6). Each route turns the events into a form of its own.
 */
export function readingOf({
  request,
  query,
}: Pick<RouteCall<unknown, z.output<typeof LogQuery>, unknown>, 'request' | 'query'>):
  | LogReading
  | Rejection {
  const { limit = LIMITS.pageDefault } = query;
  const after = cursorOf(query);
  const isStream = wantsStream(request);
  const last = isStream ? request.headers.get('Last-Event-ID') : null;
  // A stream resumes after the last event that the client received, wherever its address begins.
  if (last === null || last === '') return { ok: true, isStream, after, limit };
  const parsed = WholeNumber.safeParse(last);
  return parsed.success
    ? { ok: true, isStream, after: parsed.data, limit }
    : reject('invalid_request', 'Last-Event-ID: not a cursor');
}
