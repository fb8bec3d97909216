/** Questions: one to four, each with up to twelve options and always room for other words; without options, for words alone. */
import * as z from '../zod.ts';
import { LIMITS } from '../../limits.ts';
import { optionAsObject } from '../../question-option.ts';

export const NotBlank = z.string().refine((text) => text.trim() !== '', 'Must not be blank');

const WholeOption = z.strictObject({
  label: NotBlank.max(LIMITS.optionLabelChars),
  description: z.string().max(LIMITS.optionDescriptionChars).optional(),
  preview: z.string().max(LIMITS.textChars).optional(),
});
const QuestionOption = z.preprocess(optionAsObject, WholeOption);

export const Question = z
  .strictObject({
    header: z.string().min(1).max(LIMITS.questionHeaderChars).optional(),
    question: NotBlank.max(LIMITS.questionChars),
    /** Left out or empty: answered in words alone. */
    options: z
      .array(QuestionOption)
      .max(LIMITS.questionOptions)
      .refine(
        (options) => new Set(options.map((option) => option.label.trim())).size === options.length,
        'Option labels must differ',
      )
      .default([]),
    multiSelect: z.boolean().default(false),
  })
  .refine(({ options, multiSelect }) => !multiSelect || options.length > 0, {
    message: 'Give options of which several may be chosen',
    path: ['multiSelect'],
  });
export type Question = z.infer<typeof Question>;

export const QuestionRequest = z.strictObject({
  questions: z.array(Question).min(1).max(LIMITS.questions),
});
export type QuestionRequest = z.infer<typeof QuestionRequest>;

const QuestionIndex = z
  .number()
  .int()
  .min(0)
  .max(LIMITS.questions - 1);
const OptionIndex = z
  .number()
  .int()
  .min(0)
  .max(LIMITS.questionOptions - 1);

/** Everything at once, one step, or a refusal to answer. */
export const QuestionAnswer = z.union([
  z.strictObject({ answers: z.record(z.string(), z.unknown()) }),
  z.strictObject({ question: QuestionIndex, option: OptionIndex }),
  z.strictObject({
    question: QuestionIndex,
    options: z.array(OptionIndex).min(1).max(LIMITS.questionOptions),
  }),
  z.strictObject({ question: QuestionIndex, text: z.string().max(LIMITS.feedbackChars) }),
  z.strictObject({
    decline: z.literal(true),
    reason: z.string().max(LIMITS.reasonChars).optional(),
  }),
]);
export type QuestionAnswer = z.infer<typeof QuestionAnswer>;
