/** Approval: may this tool run with this input? */
import * as z from '../zod.ts';
import { JsonObjectSchema } from '../interaction.ts';
import type { JsonObject } from '../../json.ts';
import { isObject } from '../../types.ts';
import { LIMITS } from '../../limits.ts';
import { EveryCommandFlag, RuleChoice } from '../rule.ts';
import { areUnique } from './form.ts';
import { NotBlank } from './question.ts';

const Offer = z.enum(['once', 'session']);
const ApprovalReason = z.string().max(LIMITS.reasonChars).optional();

/** With an approval of an input that is not shown whole: what the person has read of it. */
const ReadExtent = z.enum(['whole', 'part']).optional();

/** With a denial: the turn that asks ends. */
const Stop = z.literal(true).optional();

const ChoiceId = NotBlank.max(LIMITS.choiceIdChars);

/** A named answer of the agent's own, such as "reject always" of an editor. */
const ApprovalChoice = z
  .strictObject({
    id: ChoiceId,
    label: NotBlank.max(LIMITS.optionLabelChars),
    /** A hint for screens; a choice that denies is never drawn like one that approves. */
    tone: z.enum(['primary', 'danger', 'neutral']).optional(),
    decision: z.enum(['approve', 'deny']),
    /** With an approval: the rule of the offer `session`, for the tool or for exactly this input. */
    remember: z.enum(['tool', 'exact']).optional(),
    stop: Stop,
  })
  .superRefine(({ decision, remember, stop }, context) => {
    const refuse = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    if (remember !== undefined && decision === 'deny')
      refuse('remember', 'Only an approval is kept');
    if (stop !== undefined && decision === 'approve') refuse('stop', 'Only a denial stops a turn');
  });
export type ApprovalChoice = z.infer<typeof ApprovalChoice>;

const ToolInput = z
  .custom<JsonObject>(
    isObject,
    'Give the input of the tool as a JSON object, {} if the tool takes none',
  )
  .meta({ type: 'object' });

export const ApprovalRequest = z.strictObject({
  input: ToolInput,
  description: z.string().max(LIMITS.textChars).optional(),
  allowEdit: z.boolean().optional(),
  inputSchema: JsonObjectSchema.optional(),
  offers: z.array(Offer).min(1).max(2).optional(),
  /** In place of `offers`. */
  choices: z
    .array(ApprovalChoice)
    .min(1)
    .max(LIMITS.approvalChoices)
    .refine((choices) => areUnique(choices.map(({ id }) => id)), 'The ids of choices must differ')
    .refine(
      (choices) => areUnique(choices.map(({ label }) => label.trim())),
      'The labels of choices must differ',
    )
    .optional(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

export const ApprovalAnswer = z.union([
  z.strictObject({
    decision: z.enum(['approve', 'deny']),
    reason: ApprovalReason,
    updatedInput: JsonObjectSchema.optional(),
    offer: Offer.optional(),
    /** With the offer `session`: the rule covers this exact input instead of the whole tool. */
    exact: z.boolean().optional(),
    /** Likewise: what the rule covers instead of the whole tool, and how long. It must cover this very input. */
    rule: RuleChoice.optional(),
    everyCommand: EveryCommandFlag.optional(),
    read: ReadExtent,
    stop: Stop,
  }),
  z.strictObject({
    choice: ChoiceId,
    /** What the choice is believed to decide; a choice that decides otherwise is refused. */
    decision: z.enum(['approve', 'deny']).optional(),
    reason: ApprovalReason,
    updatedInput: JsonObjectSchema.optional(),
    everyCommand: EveryCommandFlag.optional(),
    read: ReadExtent,
    stop: Stop,
  }),
]);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;
