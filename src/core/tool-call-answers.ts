/** Answers that name a tool call: the short forms, and one of a batch. */
import * as z from '../protocol/schema/zod.ts';
import { type BatchDecision, type CommandOf, InputDigest } from '../protocol/schema/command.ts';
import { ToolCallId } from '../protocol/schema/ids.ts';
import { JsonObjectSchema } from '../protocol/schema/interaction.ts';
import type { JsonObject } from '../protocol/json.ts';
import { LIMITS } from '../protocol/limits.ts';

export interface ShortAnswer {
  readonly toolCallId: string;
  readonly inputDigest?: string | undefined;
  readonly answers?: JsonObject | undefined;
  readonly reason?: string | undefined;
  readonly choice?: string | undefined;
  readonly stop?: true | undefined;
}

export interface ShortForm {
  readonly kinds: readonly string[];
  /** The message of the 404 when no interaction is pending for the tool call. */
  readonly missing: string;
  readonly body: z.ZodType<ShortAnswer>;
  readonly answer: (given: ShortAnswer) => JsonObject;
}

const ANSWERED_CALL = { toolCallId: ToolCallId, inputDigest: InputDigest.optional() };

/** A choice that decides otherwise than the route says is refused. */
const CHOICE = z
  .string()
  .max(LIMITS.choiceIdChars)
  .optional()
  .describe('The id of a choice, where the request offers choices.');

export const SUBMIT_ANSWERS: ShortForm = {
  kinds: ['question'],
  missing: 'No pending question',
  body: z
    .strictObject({ ...ANSWERED_CALL, answers: JsonObjectSchema })
    .meta({ id: 'SubmitAnswers' }),
  answer: ({ answers }) => ({ answers: answers ?? {} }),
};

export const APPROVE: ShortForm = {
  kinds: ['approval'],
  missing: 'No pending approval',
  body: z.strictObject({ ...ANSWERED_CALL, choice: CHOICE }).meta({ id: 'ApproveTool' }),
  answer: ({ choice }) => ({ decision: 'approve', ...(choice !== undefined && { choice }) }),
};

export const DENY: ShortForm = {
  kinds: ['approval'],
  missing: 'No pending approval',
  body: z
    .strictObject({
      ...ANSWERED_CALL,
      reason: z.string().max(LIMITS.reasonChars).optional(),
      choice: CHOICE,
      stop: z.literal(true).optional().describe('Ends the turn that asks.'),
    })
    .meta({ id: 'DenyTool' }),
  answer: ({ reason, choice, stop }) => ({
    decision: 'deny',
    ...(choice !== undefined && { choice }),
    ...(stop !== undefined && { stop }),
    ...(reason !== undefined && { reason }),
  }),
};

export function shortCommand(
  { kinds, missing, answer }: ShortForm,
  given: ShortAnswer,
): CommandOf<'interaction.answer'> {
  const { toolCallId, inputDigest } = given;
  const target = { toolCallId, kinds, missing };
  return { type: 'interaction.answer', target, answer: withDigest(answer(given), inputDigest) };
}

/** One decision of a batch; its digest may stand beside the answer, as in a short form, or inside the answer. */
export function batchCommand(decision: BatchDecision): CommandOf<'interaction.answer'> {
  const { answer, inputDigest, ...target } = decision;
  return { type: 'interaction.answer', target, answer: withDigest(answer, inputDigest) };
}

function withDigest(answer: JsonObject, inputDigest: string | undefined): JsonObject {
  return inputDigest === undefined ? answer : { ...answer, inputDigest };
}
