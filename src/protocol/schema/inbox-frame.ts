/** The frames that the server sends on the socket of an inbox; a client sends only `ping`. */
import * as z from 'zod';
import { FrameError } from './frame.ts';
import { PROTOCOL } from '../frames.ts';
import { InteractionId, SessionId } from './ids.ts';
import { InboxEntry } from './workspace.ts';

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
