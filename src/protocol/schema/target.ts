/** Targets: receivers outside that announcements are sent to, and the deliveries of those. */
import * as z from './zod.ts';
import { LIMITS } from '../limits.ts';
import { Labels, TargetName } from './audience.ts';
import { Cursor } from './cursor.ts';
import { SessionId } from './ids.ts';
import { JsonObjectSchema, KindName, ToolName } from './interaction.ts';
import { Name } from './name.ts';
import { SURFACE_CHANGES, withSurfaceSettings, withSurfaceView } from './surfaces/index.ts';

export const AnnouncedType = z.enum([
  'interaction.requested',
  'interaction.updated',
  'interaction.resolved',
  'interaction.reminder',
  'interaction.escalated',
  'interaction.handed_over',
  'turn.ended',
  'session.created',
  'session.deleted',
]);
export type AnnouncedType = z.infer<typeof AnnouncedType>;

const Events = z
  .array(z.union([z.literal('*'), AnnouncedType]))
  .min(1)
  .max(9)
  .describe('The types that are sent; `*` is all of them.');

/** Every given part must fit; `kinds` and `tools` leave out what is about no interaction. */
export const TargetFilter = z
  .strictObject({
    kinds: z.array(KindName).min(1).max(LIMITS.targetFilterNames).exactOptional(),
    tools: z.array(ToolName).min(1).max(LIMITS.targetFilterNames).exactOptional(),
    sessions: SessionId.exactOptional().describe('The beginning of the ids of sessions.'),
    labels: Labels.exactOptional().describe('Labels that the session must have.'),
  })
  .meta({ id: 'TargetFilter' });
export type TargetFilter = z.infer<typeof TargetFilter>;

const TargetAudience = Name.describe('The subject of answers that the receiver gives.');

export const CreateTarget = z
  .discriminatedUnion(
    'type',
    withSurfaceSettings({
      name: TargetName.exactOptional(),
      events: Events.default(['*']),
      filter: TargetFilter.exactOptional(),
      audience: TargetAudience.exactOptional(),
    }),
  )
  .meta({ id: 'CreateTarget' });

export const UpdateTarget = z
  .strictObject({
    ...SURFACE_CHANGES,
    name: TargetName.nullable().exactOptional().describe('Null removes it.'),
    events: Events.exactOptional(),
    filter: TargetFilter.nullable().exactOptional().describe('Null removes it.'),
    audience: TargetAudience.nullable().exactOptional().describe('Null removes it.'),
    enabled: z
      .boolean()
      .exactOptional()
      .describe('False stops deliveries; true starts them again, also after failures.'),
  })
  .refine((changes) => Object.keys(changes).length > 0, 'Name at least one field')
  .meta({ id: 'UpdateTarget' });

/** What every target has, beside the settings of its surface. */
const TARGET_FIELDS = {
  id: z.string(),
  name: z.string().exactOptional(),
  events: Events,
  filter: TargetFilter.exactOptional(),
  audience: z.string().exactOptional(),
  createdAt: z.number(),
  createdBy: z.string(),
  disabledAt: z.number().nullable(),
  disabledBy: z
    .enum(['failures', 'administrator', 'revocation'])
    .exactOptional()
    .describe(
      '`failures`: for three days every attempt failed. `revocation`: the credential that made it was revoked.',
    ),
};
const TargetFields = z.strictObject(TARGET_FIELDS);
export type TargetFields = z.infer<typeof TargetFields>;

export const TargetView = z
  .discriminatedUnion('type', withSurfaceView(TARGET_FIELDS))
  .meta({ id: 'Target' });
export type TargetView = z.infer<typeof TargetView>;

/** The result of the last attempt. */
export const DeliveryAttempt = z
  .strictObject({
    at: z.number(),
    status: z.number().exactOptional().describe('Absent: no response came.'),
    problem: z.string().exactOptional().describe('Why the attempt failed.'),
    body: z.string().describe('The beginning of the response.'),
    answer: z
      .string()
      .exactOptional()
      .describe('The response held an answer: `accepted`, or the code of its refusal.'),
  })
  .meta({ id: 'DeliveryAttempt' });
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

export const DeliveryView = z
  .strictObject({
    id: z.string().describe('The `webhook-id`, the same in every attempt.'),
    type: z.string(),
    sessionId: z.string().exactOptional(),
    seq: z.number().exactOptional(),
    createdAt: z.number(),
    status: z.enum(['pending', 'delivered', 'dead']),
    attempts: z.number(),
    nextAt: z
      .number()
      .nullable()
      .describe('Null: it has ended, or waits for an earlier one of its session.'),
    last: DeliveryAttempt.nullable(),
  })
  .meta({ id: 'Delivery' });
export type DeliveryView = z.infer<typeof DeliveryView>;

export const RedeliverSince = z
  .strictObject({
    since: z.number().int().min(0).describe('Milliseconds since 1970.'),
    after: Cursor.exactOptional().describe('The `next` of the reply before, to go on from there.'),
  })
  .meta({ id: 'RedeliverSince' });
export type RedeliverSince = z.infer<typeof RedeliverSince>;

export const Redelivered = z
  .strictObject({
    redelivered: z.number().describe('How many are sent again.'),
    more: z.boolean().describe('Whether more has ended since then.'),
    next: z.string().exactOptional().describe('With `more`: the `after` of the next request.'),
  })
  .meta({ id: 'Redelivered' });
export type Redelivered = z.infer<typeof Redelivered>;

export const InboundAnswer = z
  .strictObject({
    answer: JsonObjectSchema,
    inputDigest: z.string().min(1).max(LIMITS.digestChars).exactOptional(),
  })
  .refine(({ answer, inputDigest }) => inputDigest === undefined || !('inputDigest' in answer), {
    message: 'Give it beside the answer or in it, not both',
    path: ['inputDigest'],
  })
  .meta({ id: 'InboundAnswer' });
export type InboundAnswer = z.infer<typeof InboundAnswer>;
