/** The frames of the sockets of a session and of an inbox, in both directions. */
import * as z from './zod.ts';
import { OpenBatch, SendMessage } from './command.ts';
import { SessionEventSchema } from './event.ts';
import { IdempotencyKey, InteractionId, SessionId } from './ids.ts';
import { InteractionView, JsonObjectSchema, OpenCommon } from './interaction.ts';
import { PROTOCOL } from '../frames.ts';
import { LIMITS } from '../limits.ts';
import { SessionView } from './session.ts';
import { InboxEntry } from './workspace.ts';

const FrameId = z.string().min(1).max(128);
const Key = { idempotencyKey: IdempotencyKey.optional() };

export const ClientFrame = z
  .discriminatedUnion('type', [
    z.looseObject({ type: z.literal('open'), id: FrameId, ...Key, ...OpenCommon }),
    z.defer(() =>
      z.strictObject({ type: z.literal('batch'), id: FrameId, ...Key, ...OpenBatch.shape }),
    ),
    z.strictObject({
      type: z.literal('answer'),
      id: FrameId,
      ...Key,
      interactionId: InteractionId,
      answer: JsonObjectSchema,
    }),
    z.defer(() =>
      z.strictObject({ type: z.literal('message'), id: FrameId, ...Key, ...SendMessage.shape }),
    ),
    z.strictObject({
      type: z.literal('cancel'),
      id: FrameId,
      ...Key,
      interactionId: InteractionId.optional(),
      reason: z.string().max(LIMITS.reasonChars).optional(),
    }),
    z.strictObject({ type: z.literal('interrupt'), id: FrameId, ...Key }),
    z.strictObject({
      type: z.literal('look'),
      id: FrameId,
      looking: z.boolean().describe('False: no longer.'),
      interactionId: InteractionId.optional().describe(
        'The request that is looked at, if it is one.',
      ),
    }),
  ])
  .meta({ id: 'ClientFrame' });
export type ClientFrame = z.infer<typeof ClientFrame>;
export type LookFrame = Extract<ClientFrame, { type: 'look' }>;

/** The part of an opening that belongs to its frame; the rest becomes a command, which is checked as over HTTP. */
export const OpeningFrame = z.looseObject({ type: z.literal('open'), id: FrameId, ...Key });
export type OpeningFrame = z.infer<typeof OpeningFrame>;

/** The part of a malformed frame that is needed to answer it by its id. */
export const FrameName = z.looseObject({
  type: z.enum(['open', 'batch', 'answer', 'message', 'cancel', 'interrupt', 'look']),
  id: FrameId,
});

/** A person who looks at a session just now, by the name of the credential. */
const Onlooker = z.strictObject({
  subject: z.string(),
  verified: z.boolean().describe('An administrator or a login vouches for the subject.'),
  interactionId: z.string().optional(),
});

export const Presence = z.strictObject({
  people: z.array(Onlooker).describe('Each person once, who looks longest first.'),
  more: z.number().describe('How many others look.'),
});
export type Presence = z.infer<typeof Presence>;

/** What the log lacks of the agent of an interaction, as far as it has changed. */
export const AgentState = z.strictObject({
  interactionId: InteractionId,
  agentWaiting: z.boolean().optional().describe('Of an open interaction.'),
  deliveredAt: z.number().optional(),
  shownAt: z.number().optional(),
});
export type AgentState = z.infer<typeof AgentState>;

export const FrameError = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});

export const ServerFrame = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('welcome'),
      protocol: z.literal(PROTOCOL),
      session: SessionView,
      head: z.number(),
      open: z.array(InteractionView),
      now: z.number(),
    }),
    z.strictObject({ type: z.literal('events'), events: z.array(SessionEventSchema) }),
    z.strictObject({
      type: z.literal('delta'),
      turnId: z.string().optional(),
      responseId: z.string().optional(),
      text: z.string(),
    }),
    z.defer(() => z.strictObject({ type: z.literal('presence'), ...Presence.shape })),
    z.strictObject({ type: z.literal('agents'), interactions: z.array(AgentState) }),
    z.strictObject({
      type: z.literal('result'),
      id: z.string(),
      ok: z.boolean(),
      value: z.unknown().optional(),
      error: FrameError.optional(),
    }),
    z.strictObject({ type: z.literal('error'), error: FrameError }),
  ])
  .meta({ id: 'ServerFrame' });
export type ServerFrame = z.infer<typeof ServerFrame>;

/** A client sends only `ping` on the socket of an inbox. */
export const InboxFrame = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('inbox'),
      protocol: z.literal(PROTOCOL),
      interactions: z.array(InboxEntry),
      next: z.string().optional(),
      total: z.number(),
      now: z.number(),
    }),
    z.strictObject({
      type: z.literal('inbox_changed'),
      sessionId: SessionId,
      sessionTitle: z.string().nullable().describe('Of everything open in this session.'),
      upserts: z.array(InboxEntry),
      removed: z.array(InteractionId),
      total: z.number(),
      now: z.number(),
    }),
    z.strictObject({ type: z.literal('error'), error: FrameError }),
  ])
  .meta({ id: 'InboxFrame' });
export type InboxFrame = z.infer<typeof InboxFrame>;
export type InboxChangedFrame = Extract<InboxFrame, { type: 'inbox_changed' }>;
