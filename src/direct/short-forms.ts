/** The short forms by tool call: what they take, and what is said when nothing waits there. */
import * as z from 'zod';
import { ToolCallId } from '../protocol/ids.ts';
import { JsonObjectSchema } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';

export interface ShortForm<Body extends { toolCallId: string } = { toolCallId: string }> {
  readonly kinds: readonly string[];
  readonly missing: string;
  /** What it is called when it fails. */
  readonly name: string;
  readonly schema: z.ZodType<Body>;
  readonly answer: (body: Body) => JsonObject;
}

function shortForm<Body extends { toolCallId: string }>(form: ShortForm<Body>): ShortForm<Body> {
  return form;
}

export const SUBMIT_ANSWERS = shortForm({
  name: 'Submit answers',
  kinds: ['question'],
  missing: 'No pending question',
  schema: z.strictObject({ toolCallId: ToolCallId, answers: JsonObjectSchema }),
  answer: ({ answers }) => ({ answers }),
});

export const APPROVE = shortForm({
  name: 'Approve',
  kinds: ['approval'],
  missing: 'No pending approval',
  schema: z.strictObject({ toolCallId: ToolCallId }),
  answer: () => ({ decision: 'approve' }),
});

export const DENY = shortForm({
  name: 'Deny',
  kinds: ['approval'],
  missing: 'No pending approval',
  schema: z.strictObject({
    toolCallId: ToolCallId,
    reason: z.string().max(LIMITS.reasonChars).optional(),
  }),
  answer: ({ reason }) => ({ decision: 'deny', ...(reason !== undefined && { reason }) }),
});
