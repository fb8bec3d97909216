/** The short forms: an answer by tool call, for whoever knows nothing of interaction ids. */
import * as z from 'zod';
import type { CommandOf } from '../protocol/command.ts';
import { ToolCallId } from '../protocol/ids.ts';
import { JsonObjectSchema } from '../protocol/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';

export interface ShortAnswer {
  readonly toolCallId: string;
  readonly answers?: JsonObject | undefined;
  readonly reason?: string | undefined;
}

export interface ShortForm {
  readonly kinds: readonly string[];
  /** What is said when nothing waits there. */
  readonly missing: string;
  readonly body: z.ZodType<ShortAnswer>;
  readonly answer: (given: ShortAnswer) => JsonObject;
}

export const SUBMIT_ANSWERS: ShortForm = {
  kinds: ['question'],
  missing: 'No pending question',
  body: z.strictObject({ toolCallId: ToolCallId, answers: JsonObjectSchema }),
  answer: ({ answers }) => ({ answers: answers ?? {} }),
};

export const APPROVE: ShortForm = {
  kinds: ['approval'],
  missing: 'No pending approval',
  body: z.strictObject({ toolCallId: ToolCallId }),
  answer: () => ({ decision: 'approve' }),
};

export const DENY: ShortForm = {
  kinds: ['approval'],
  missing: 'No pending approval',
  body: z.strictObject({
    toolCallId: ToolCallId,
    reason: z.string().max(LIMITS.reasonChars).optional(),
  }),
  answer: ({ reason }) => ({ decision: 'deny', ...(reason !== undefined && { reason }) }),
};

export function shortCommand(
  { kinds, missing, answer }: ShortForm,
  given: ShortAnswer,
): CommandOf<'interaction.answer'> {
  const target = { toolCallId: given.toolCallId, kinds, missing };
  return { type: 'interaction.answer', target, answer: answer(given) };
}
