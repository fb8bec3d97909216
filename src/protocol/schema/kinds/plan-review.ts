/** Plan review: is this plan right, and how should the work go on? */
import * as z from '../zod.ts';
import { LIMITS } from '../../limits.ts';

export const PlanReviewRequest = z.strictObject({
  plan: z.string().max(LIMITS.eventTextChars).optional(),
});
export type PlanReviewRequest = z.infer<typeof PlanReviewRequest>;

export const PlanReviewAnswer = z.strictObject({
  decision: z.enum(['edit', 'clean_edit', 'default', 'adjust']),
  feedback: z.string().max(LIMITS.feedbackChars).optional(),
});
export type PlanReviewAnswer = z.infer<typeof PlanReviewAnswer>;

/** What an approved plan grants; nothing else yields one. */
export const PlanDecision = z.strictObject({
  permission: z.literal('allow'),
  clearContext: z.boolean(),
  targetMode: z.enum(['edit', 'default']),
});
export type PlanDecision = z.infer<typeof PlanDecision>;
