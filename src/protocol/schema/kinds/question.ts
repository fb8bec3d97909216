/** Questions: one to four, each with two to four options and always room for other words. */
import * as z from 'zod';
import { LIMITS } from '../../limits.ts';

const NotBlank = z.string().refine((text) => text.trim() !== '', 'Must not be blank');

export const QuestionOption = z.strictObject({
  label: NotBlank.max(200),
  description: z.string().max(2_000).optional(),
  preview: z.string().max(LIMITS.textChars).optional(),
});

export const Question = z.strictObject({
  header: z.string().min(1).max(12),
  question: NotBlank.max(2_000),
  options: z
    .array(QuestionOption)
    .min(2)
    .max(4)
    .refine(
      (options) => new Set(options.map((option) => option.label.trim())).size === options.length,
      'Option labels must differ',
    ),
  multiSelect: z.boolean().default(false),
});
export type Question = z.infer<typeof Question>;

export const QuestionRequest = z.strictObject({ questions: z.array(Question).min(1).max(4) });
export type QuestionRequest = z.infer<typeof QuestionRequest>;

const Index = z.number().int().min(0).max(3);

/** Everything at once, one step, or a refusal to answer. */
export const QuestionAnswer = z.union([
  z.strictObject({ answers: z.record(z.string(), z.unknown()) }),
  z.strictObject({ question: Index, option: Index }),
  z.strictObject({ question: Index, options: z.array(Index).min(1).max(4) }),
  z.strictObject({ question: Index, text: z.string().max(LIMITS.feedbackChars) }),
  z.strictObject({
    decline: z.literal(true),
    reason: z.string().max(LIMITS.reasonChars).optional(),
  }),
]);
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;
