/** A request that passed the gate, reduced to what rules look at: the workspace keeps the last of them to try rules on. */
import * as z from './zod.ts';
import { CitedRule } from './cited-rule.ts';
import { JsonObjectSchema } from './interaction.ts';
import { PermissionMode } from './session.ts';

export const GateOutcome = z.enum(['allowed', 'asked', 'denied']);
export type GateOutcome = z.infer<typeof GateOutcome>;

export const GatedRequest = z.object({
  seq: z.number(),
  at: z.number(),
  toolName: z.string(),
  outcome: GateOutcome,
  by: z.union([CitedRule, z.strictObject({ mode: PermissionMode })]).optional(),
  interactionId: z.string().optional(),
  /** The fields that a rule may look at, and the names of the others with null; null for an input that is too large. */
  input: JsonObjectSchema.nullable(),
  /** The digest of the whole input, as an exact rule has it; left out for a large one. */
  ruleDigest: z.string().optional(),
  folder: z.string().optional(),
});
export type GatedRequest = z.infer<typeof GatedRequest>;
