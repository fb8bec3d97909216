/**
 * Announcements of a session to the outside: one for each event that subscribers outside the session need.
 *
 * The inbox has the interactions that are open now. An interaction that opens and settles between two reports never appears
 * there, but is announced. Requested and resolved come in pairs, for every end of an interaction; a reprompt is a resolved
 * with `replacedBy` and a requested with `replaces`, a decision that is taken back a requested with `undoes`. `seq`
 * identifies a duplicate.
 */
import * as z from './zod.ts';
import { Opener, Settler } from './actor.ts';
import { StoredAudience } from './audience.ts';
import { InteractionId, ResponseId, TurnId } from './ids.ts';
import {
  AskedAudience,
  InteractionIds,
  JsonObjectSchema,
  Outcome,
  Presentation,
  StoredQuorum,
  Undoes,
} from './interaction.ts';

const OfEvent = { seq: z.number().int().min(1), at: z.number() };

const OfInteraction = {
  ...OfEvent,
  ...InteractionIds,
  audience: AskedAudience,
  turnId: TurnId.optional(),
  responseId: ResponseId.optional(),
};

export const Announcement = z
  .discriminatedUnion('type', [
    z.strictObject({
      ...OfInteraction,
      type: z.literal('interaction.requested'),
      presentation: Presentation,
      /** Null when it is too large for a report; the session has it. */
      request: JsonObjectSchema.nullable(),
      inputDigest: z.string(),
      openedBy: Opener,
      expiresAt: z.number().nullable(),
      replaces: InteractionId.optional(),
      undoes: Undoes.optional(),
      quorum: StoredQuorum.optional(),
    }),
    z.strictObject({
      ...OfInteraction,
      type: z.literal('interaction.updated'),
      change: z.enum([
        'step',
        'feedback',
        'link_opened',
        'link_completed',
        'extended',
        'overdue',
        'vote',
        'vote_withdrawn',
      ]),
      /** Of a vote: who has approved so far. */
      approvedBy: z.array(z.string()).optional(),
      expiresAt: z.number().nullable().optional(),
      by: Settler.optional(),
    }),
    /** The deadline is left out if the request has settled since. */
    z.strictObject({
      ...OfInteraction,
      type: z.literal('interaction.reminder'),
      expiresAt: z.number().nullable().optional(),
    }),
    /** For those who are asked from here on. What they must see is left out if the request has settled since. */
    z.strictObject({
      ...OfInteraction,
      type: z.literal('interaction.escalated'),
      presentation: Presentation.optional(),
      request: JsonObjectSchema.nullable().optional(),
      inputDigest: z.string().optional(),
      openedBy: Opener.optional(),
      expiresAt: z.number().nullable().optional(),
      /** Of a request that a person handed over: who, and the words for those who are asked now. */
      by: Settler.optional(),
      note: z.string().optional(),
    }),
    /** For those who are no longer asked, `audience`: others, `to`, are asked in their place. */
    z.strictObject({
      ...OfInteraction,
      type: z.literal('interaction.handed_over'),
      to: StoredAudience,
      by: Settler.optional(),
    }),
    z.strictObject({
      ...OfInteraction,
      type: z.literal('interaction.resolved'),
      outcome: Outcome,
      settledBy: Settler,
      reason: z.string().optional(),
      /** Of an approval: by which of its choices it was decided, and whether the denial ends the turn. */
      choice: z.string().optional(),
      stop: z.literal(true).optional(),
      defaulted: z.boolean().optional(),
      inputDigest: z.string(),
      authorizedDigest: z.string().optional(),
      replacedBy: InteractionId.optional(),
    }),
    z.strictObject({
      ...OfEvent,
      type: z.literal('turn.ended'),
      turnId: TurnId.optional(),
      reason: z.enum(['completed', 'interrupted', 'error', 'cleared']),
      by: Opener.optional(),
    }),
    z.strictObject({
      ...OfEvent,
      type: z.literal('session.created'),
      title: z.string().optional(),
      createdBy: Opener,
    }),
    z.strictObject({ ...OfEvent, type: z.literal('session.deleted'), by: Settler.optional() }),
  ])
  .meta({ id: 'Announcement' });
export type Announcement = z.infer<typeof Announcement>;
