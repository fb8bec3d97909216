/** Link: an address that a person opens for the agent, such as a sign-in; the URL mode of MCP elicitation. */
import * as z from '../zod.ts';
import { readLinkAddress } from '../../link-address.ts';
import { LIMITS } from '../../limits.ts';

/** Stored as the URL standard writes it, so that what is shown is what opens. */
const LinkAddressText = z
  .string()
  .max(LIMITS.linkUrlChars)
  .transform((text, context) => {
    const read = readLinkAddress(text);
    if (read.ok) return read.href;
    context.addIssue({ code: 'custom', message: read.problem });
    return z.NEVER;
  });

export const LinkRequest = z.strictObject({
  url: LinkAddressText,
  message: z
    .string()
    .max(LIMITS.textChars)
    .refine((text) => text.trim() !== '', 'Must not be blank'),
  title: z.string().min(1).max(LIMITS.titleChars).optional(),
  /** The agent's own id of it, which Holdpoint only keeps. */
  elicitationId: z.string().min(1).max(LIMITS.nameChars).optional(),
  /** It stays open after a person opened it, until the agent reports its end or a person says that it is done. */
  awaitCompletion: z.boolean().optional(),
});
export type LinkRequest = z.infer<typeof LinkRequest>;

export const LinkReply = z.union([
  z.strictObject({ opened: z.literal(true) }),
  z.strictObject({ done: z.literal(true) }),
  z.strictObject({
    decline: z.literal(true),
    reason: z.string().max(LIMITS.reasonChars).optional(),
  }),
]);
export type LinkReply = z.infer<typeof LinkReply>;
