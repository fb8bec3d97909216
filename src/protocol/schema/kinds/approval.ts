/** Approval: may this tool run with this input? */
import * as z from 'zod';
import { JsonObjectSchema } from '../interaction.ts';
import { LIMITS } from '../../limits.ts';

const Offer = z.enum(['once', 'session']);

export const ApprovalRequest = z.strictObject({
  input: JsonObjectSchema,
  description: z.string().max(LIMITS.textChars).optional(),
  allowEdit: z.boolean().optional(),
  inputSchema: JsonObjectSchema.optional(),
  offers: z.array(Offer).min(1).max(2).optional(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

export const ApprovalAnswer = z.strictObject({
  decision: z.enum(['approve', 'deny']),
  reason: z.string().max(LIMITS.reasonChars).optional(),
  updatedInput: JsonObjectSchema.optional(),
  offer: Offer.optional(),
  /** With the offer `session`: the rule covers this exact input instead of the whole tool. */
  exact: z.boolean().optional(),
});
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;
