/**
 * Form: a few typed fields, described by the flat JSON Schema of MCP elicitation (form mode) and nothing beyond it.
 *
 * This file decides which keys a field of each type may have. Rules between keys (a default that breaks its own
 * maximum, a field that asks for a password) are those of `checkFormSchema` in core. Additions to MCP: `pattern` on
 * text, exclusive bounds, `nullable`, `examples`, a description of each choice, and a `title` and `description` of the
 * whole form. `additionalProperties: false` is accepted because generators write it; additional properties are refused
 * anyway. Other notations of the same are read by `form-notation.ts` before.
 */
import * as z from '../zod.ts';
import { JsonObjectSchema } from '../interaction.ts';
import { LIMITS } from '../../limits.ts';
import { plainFormSchema } from './form-notation.ts';

const FormTitle = z.string().min(1).max(LIMITS.formTitleChars);
const FormDescription = z.string().max(LIMITS.formDescriptionChars);
const Count = z.number().int().min(0);
const labels = { title: FormTitle.optional(), description: FormDescription.optional() };
const ofField = {
  ...labels,
  /** Without an answer the value of a required field is null. */
  nullable: z.literal(true).optional(),
  examples: z.array(z.union([z.string(), z.number()])).optional(),
};

const ChoiceValue = z
  .string()
  .max(LIMITS.formChoiceChars)
  .refine(isNotBlank, 'A choice must not be blank');
const PlainChoices = z
  .array(ChoiceValue)
  .min(1)
  .max(LIMITS.formChoices)
  .refine((values) => areUnique(values), 'Choices must differ');
const TitledChoices = z
  .array(
    z.strictObject({
      const: ChoiceValue,
      title: FormTitle,
      description: FormDescription.optional(),
    }),
  )
  .min(1)
  .max(LIMITS.formChoices)
  .refine((choices) => areUnique(choices.map((choice) => choice.const)), 'Choices must differ');

const FormTextFormat = z.enum(['email', 'uri', 'date', 'date-time'], {
  error: (issue) =>
    issue.input === 'password'
      ? 'Forms do not ask for secrets'
      : 'Use one of email, uri, date, date-time',
});

/** Free text, or one choice of several when `enum` or `oneOf` lists them. */
export const StringField = z
  .strictObject({
    type: z.literal('string'),
    ...ofField,
    minLength: Count.optional(),
    maxLength: Count.optional(),
    format: FormTextFormat.optional(),
    pattern: z.string().min(1).optional(),
    enum: PlainChoices.optional(),
    /** Titles for `enum`, as MCP before 2025-11-25 wrote them. */
    enumNames: z.array(FormTitle).optional(),
    oneOf: TitledChoices.optional(),
    default: z.string().optional(),
  })
  .superRefine((field, context) => {
    const refuse = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    if (field.enum !== undefined && field.oneOf !== undefined)
      refuse('oneOf', 'Use either enum or oneOf');
    if (field.enumNames !== undefined && field.enumNames.length !== field.enum?.length)
      refuse('enumNames', 'Give one name for each value of enum');
    if (field.enum === undefined && field.oneOf === undefined) return;
    for (const key of ['minLength', 'maxLength', 'format', 'pattern'] as const)
      if (field[key] !== undefined) refuse(key, `A choice has no ${key}`);
  });
export type StringField = z.infer<typeof StringField>;

export const NumberField = z.strictObject({
  type: z.enum(['number', 'integer']),
  ...ofField,
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  default: z.number().optional(),
});
export type NumberField = z.infer<typeof NumberField>;

const BooleanField = z.strictObject({
  type: z.literal('boolean'),
  ...ofField,
  default: z.boolean().optional(),
});

export const MultiChoiceField = z.strictObject({
  type: z.literal('array'),
  ...ofField,
  items: z
    .strictObject({
      type: z.literal('string').optional(),
      enum: PlainChoices.optional(),
      anyOf: TitledChoices.optional(),
    })
    .refine(
      (items) => (items.enum === undefined) !== (items.anyOf === undefined),
      'Use either enum or anyOf',
    ),
  minItems: Count.optional(),
  maxItems: Count.optional(),
  default: z.array(z.string()).optional(),
});
export type MultiChoiceField = z.infer<typeof MultiChoiceField>;

export const FormField = z.discriminatedUnion('type', [
  StringField,
  NumberField,
  BooleanField,
  MultiChoiceField,
]);
export type FormField = z.infer<typeof FormField>;

const FieldName = z
  .string()
  .min(1)
  .max(LIMITS.formFieldNameChars)
  .refine(isNotBlank, 'A field name must not be blank');

const PlainFormSchema = z.strictObject({
  $schema: z.string().max(LIMITS.formSchemaUrlChars).optional(),
  type: z.literal('object'),
  ...labels,
  /** Without fields it asks for plain consent: to be answered with `{}`, or declined. */
  properties: z
    .record(FieldName, FormField)
    .refine(
      (properties) => Object.keys(properties).length <= LIMITS.formFields,
      `A form has at most ${LIMITS.formFields} fields`,
    ),
  required: z.array(z.string()).max(LIMITS.formFields).optional(),
  additionalProperties: z.literal(false).optional(),
});
export const FormSchema = z.preprocess(plainFormSchema, PlainFormSchema);
export type FormSchema = z.infer<typeof FormSchema>;

export interface FormChoice {
  readonly value: string;
  readonly title: string;
  readonly description?: string | undefined;
}

/** What a field offers, in its order; undefined for a field without choices. */
export function choicesOf(field: FormField): readonly FormChoice[] | undefined {
  if (field.type === 'array') return named(field.items.enum, field.items.anyOf);
  if (field.type === 'string') return named(field.enum, field.oneOf, field.enumNames);
  return undefined;
}

function named(
  plain: readonly string[] | undefined,
  titled: readonly TitledChoice[] | undefined,
  names: readonly string[] = [],
): readonly FormChoice[] | undefined {
  if (titled !== undefined)
    return titled.map(({ const: value, title, description }) => ({ value, title, description }));
  return plain?.map((value, index) => ({ value, title: names[index] ?? value }));
}

type TitledChoice = z.infer<typeof TitledChoices>[number];

export function areUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

function isNotBlank(text: string): boolean {
  return text.trim() !== '';
}

export const FormRequest = z.strictObject({
  title: z.string().min(1).max(LIMITS.titleChars).optional(),
  description: z.string().max(LIMITS.textChars).optional(),
  schema: FormSchema,
});
export type FormRequest = z.infer<typeof FormRequest>;

export const FormAnswer = z.union([
  z.strictObject({ values: JsonObjectSchema }),
  z.strictObject({
    decline: z.literal(true),
    reason: z.string().max(LIMITS.reasonChars).optional(),
  }),
]);
export type FormAnswer = z.infer<typeof FormAnswer>;
