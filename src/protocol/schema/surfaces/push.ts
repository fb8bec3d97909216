/** The settings of a target of type `push`: one device of one person. It is made by `POST /v1/devices` alone. */
import * as z from '../zod.ts';
import { SessionId } from '../ids.ts';

export const VapidKeys = z.strictObject({
  /** In base64url, as browsers want them. */
  publicKey: z.string(),
  privateKey: z.string(),
});
export type VapidKeys = z.infer<typeof VapidKeys>;

export const PUSH = {
  settings: {
    type: z.literal('push'),
    device: z.string(),
    subject: z.string(),
    endpoint: z.string(),
    p256dh: z.string(),
    auth: z.string(),
    vapid: VapidKeys,
    /** Whom a push service may write to about the sender: an address of this service. */
    contact: z.string(),
    /** The one session of the credential; null: the whole workspace. */
    session: SessionId.nullable(),
    mayRead: z.boolean(),
    mayAnswer: z.boolean(),
    /** The credential and its ancestors: the device ends with any of them. */
    chain: z.array(z.string()),
    expiresAt: z.number().nullable(),
    usedAt: z.number(),
  },
  view: {
    type: z.literal('push'),
    device: z.string().describe('The name that its person sees.'),
    subject: z.string(),
    service: z.string().describe('The origin of its push service.'),
    usedAt: z.number(),
    expiresAt: z.number().nullable(),
  },
};
