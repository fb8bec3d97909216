/**
 * Form: a few typed fields. Values are checked on every try, and the form stays open until they fit. A form without
 * fields asks for consent, as in MCP; neither text nor a deadline can give that consent.
 */
import { reject } from '../../protocol/errors.ts';
import { FormAnswer, FormRequest } from '../../protocol/schema/kinds/form.ts';
import { checkFormSchema, checkFormValues, soleTextField } from '../forms/check-form.ts';
import { defineKind, type AnswerEffect } from './kind.ts';

export const form = defineKind({
  name: 'form',
  presentation: 'questionnaire',
  request: FormRequest,
  answer: FormAnswer,
  gated: false,
  allowsDefaultAnswer: true,
  defaultAnswerProblem: ({ schema }) =>
    Object.keys(schema.properties).length === 0
      ? 'time never gives consent, which is all that a form without fields asks for'
      : undefined,

  problem: (request) => checkFormSchema(request.schema),
  input: (request) => request,

  interpret(_interaction, request, answer): AnswerEffect {
    if ('decline' in answer) {
      const reason = answer.reason?.trim();
      const declined = { ok: true, type: 'settle', action: 'deny', outcome: 'denied' } as const;
      return reason ? { ...declined, reason } : declined;
    }
    const checked = checkFormValues(request.schema, answer.values);
    if (!checked.ok) {
      const { fieldErrors } = checked;
      return reject('invalid_values', 'Some fields need another look', { fieldErrors });
    }
    return {
      ok: true,
      type: 'settle',
      action: 'submit',
      outcome: 'answered',
      values: checked.values,
    };
  },

  takesText: (_interaction, request) => soleTextField(request.schema) !== undefined,
  fromText(_interaction, text, request) {
    const field = soleTextField(request.schema);
    return field === undefined ? undefined : { values: { [field]: text } };
  },
  textHint: 'Only a form of one text field is answered in words; open this one to answer',

  expired: () => 'Timed out',
  cancelled: 'Interaction cancelled',

  allow: (interaction) => ({ updatedInput: interaction.values ?? {} }),
  denied: (interaction) =>
    interaction.reason === undefined
      ? 'User declined to answer'
      : `User declined to answer. Reason: ${interaction.reason}`,
});
