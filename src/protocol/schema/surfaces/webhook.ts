/** The settings of a target of type `webhook`. */
import * as z from '../zod.ts';
import { LIMITS } from '../../limits.ts';

const TargetUrl = z
  .string()
  .min(1)
  .max(LIMITS.toolUrlChars)
  .describe('HTTPS at a public host name, without a port.');

export const WEBHOOK = {
  settings: { type: z.literal('webhook'), url: TargetUrl },
  changes: { url: TargetUrl.exactOptional() },
  view: { type: z.literal('webhook'), url: z.string() },
};
