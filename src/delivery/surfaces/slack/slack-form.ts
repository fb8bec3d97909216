/**
 * A form in a dialog of Slack: an input for each field, and the values that they give.
 *
 * Slack checks some rules while a person types; the session checks all of them. A block is named by the index of its field,
 * because a name of a field may be longer than an id of Slack, or one that Slack uses itself.
 */
import type { InputBlock, InputBlockElement, KnownBlock, PlainTextOption } from '@slack/types';
import type { Json, JsonObject } from '../../../protocol/json.ts';
import {
  choicesOf,
  type FormField,
  type FormRequest,
  type StringField,
} from '../../../protocol/schema/kinds/form.ts';
import {
  type InputErrors,
  type InputValues,
  readInputChoices,
  readDate,
  readDateTime,
  readTyped,
} from './slack-inputs.ts';
import { isWhole, plainText, SLACK_LIMITS } from './slack-text.ts';

const SLACK_HINT_CHARS = 2_000;
const LONG_TEXT = 200;

/** Whether the dialog shows every word of the form, and its inputs take every value that the form does. */
export function fitsForm({ description = '', schema }: FormRequest): boolean {
  if (!isWhole(description, SLACK_LIMITS.section)) return false;
  return Object.values(schema.properties).every(fitsField);
}

function fitsField(field: FormField): boolean {
  const choices = choicesOf(field);
  if (choices !== undefined) {
    return choices.every(
      ({ title, description = '' }) =>
        isWhole(title, SLACK_LIMITS.optionText) && isWhole(description, SLACK_LIMITS.optionText),
    );
  }
  return field.type !== 'string' || (field.minLength ?? 0) <= SLACK_LIMITS.input;
}

export function formBlocks({ title, description, schema }: FormRequest): KnownBlock[] {
  const intro = [title, description, schema.title, schema.description].flatMap((text) =>
    text === undefined || text.trim() === ''
      ? []
      : [{ type: 'section' as const, text: plainText(text, SLACK_LIMITS.section) }],
  );
  const required = new Set(schema.required);
  const inputs = Object.entries(schema.properties).map(([name, field], index) =>
    fieldInput(name, field, {
      index,
      isRequired: required.has(name) && field.nullable !== true,
    }),
  );
  const consent: KnownBlock = {
    type: 'section',
    text: plainText('Submit to agree. There is nothing to fill in.', SLACK_LIMITS.section),
  };
  return [...intro, ...(inputs.length === 0 ? [consent] : inputs)];
}

function fieldInput(
  name: string,
  field: FormField,
  { index, isRequired }: { readonly index: number; readonly isRequired: boolean },
): InputBlock {
  const { description } = field;
  return {
    type: 'input',
    block_id: blockId(index),
    optional: !isRequired,
    label: plainText(field.title ?? name, SLACK_LIMITS.label),
    element: elementOf(field),
    ...(description !== undefined &&
      description.trim() !== '' && { hint: plainText(description, SLACK_HINT_CHARS) }),
  };
}

const blockId = (index: number) => `field.${index}`;

function elementOf(field: FormField): InputBlockElement {
  switch (field.type) {
    case 'boolean':
      return booleanElement(field.default);
    case 'number':
    case 'integer':
      return {
        type: 'number_input',
        action_id: 'value',
        is_decimal_allowed: field.type === 'number',
        ...boundLength(
          'min_value',
          field.minimum,
          field.type === 'integer' ? Math.ceil : undefined,
        ),
        ...boundLength(
          'max_value',
          field.maximum,
          field.type === 'integer' ? Math.floor : undefined,
        ),
        ...boundLength('initial_value', field.default),
      };
    case 'array':
      return multiChoiceElement(field);
    case 'string':
      return field.enum === undefined && field.oneOf === undefined
        ? textElement(field)
        : choiceElement(field);
  }
}

function booleanElement(initial: boolean | undefined): InputBlockElement {
  const [yes, no] = [option('Yes', 'true'), option('No', 'false')];
  return {
    type: 'radio_buttons',
    action_id: 'value',
    options: [yes, no],
    ...(initial !== undefined && { initial_option: initial ? yes : no }),
  };
}

/** Slack takes plain decimals; a bound in another form is left to the session. */
function boundLength(
  name: 'min_value' | 'max_value' | 'initial_value',
  value: number | undefined,
  round = (exact: number) => exact,
) {
  const text = value === undefined ? '' : String(round(value));
  return /^-?\d+(\.\d+)?$/.test(text) ? { [name]: text } : {};
}

function choiceElement(field: StringField): InputBlockElement {
  const choices = choiceOptions(field);
  const initial = choices.find((_, at) => choicesOf(field)?.[at]?.value === field.default);
  return {
    type: 'static_select',
    action_id: 'value',
    options: choices,
    ...(initial !== undefined && { initial_option: initial }),
  };
}

function multiChoiceElement(field: Extract<FormField, { type: 'array' }>): InputBlockElement {
  const choices = choiceOptions(field);
  const chosen = new Set(field.default);
  const initial = choices.filter((_, at) => chosen.has(choicesOf(field)?.[at]?.value ?? ''));
  const common = {
    action_id: 'value',
    options: choices,
    ...(initial.length > 0 && { initial_options: initial }),
  };
  if (choices.length <= SLACK_LIMITS.boxes) return { type: 'checkboxes', ...common };
  const { maxItems } = field;
  return {
    type: 'multi_static_select',
    ...common,
    ...(maxItems !== undefined && { max_selected_items: maxItems }),
  };
}

function choiceOptions(field: FormField): PlainTextOption[] {
  return (choicesOf(field) ?? []).map(({ title, description }, at) => ({
    ...option(title, String(at)),
    ...(description !== undefined &&
      description.trim() !== '' && {
        description: plainText(description, SLACK_LIMITS.optionText),
      }),
  }));
}

function option(title: string, value: string): PlainTextOption {
  return { text: plainText(title, SLACK_LIMITS.optionText), value };
}

function textElement(field: StringField): InputBlockElement {
  const { format, default: initial, minLength = 0, maxLength = SLACK_LIMITS.input } = field;
  const filled = initial === undefined || initial === '' ? undefined : initial;
  const words = filled !== undefined && { initial_value: filled };
  switch (format) {
    case 'email':
      return { type: 'email_text_input', action_id: 'value', ...words };
    case 'uri':
      return { type: 'url_text_input', action_id: 'value', ...words };
    case 'date':
      return {
        type: 'datepicker',
        action_id: 'value',
        ...(filled !== undefined && { initial_date: filled }),
      };
    case 'date-time': {
      const seconds = Math.floor(Date.parse(filled ?? '') / 1_000);
      return {
        type: 'datetimepicker',
        action_id: 'value',
        ...(!Number.isNaN(seconds) && { initial_date_time: seconds }),
      };
    }
    case undefined:
      return {
        type: 'plain_text_input',
        action_id: 'value',
        multiline: maxLength > LONG_TEXT,
        min_length: minLength,
        max_length: Math.max(1, Math.min(maxLength, SLACK_LIMITS.input)),
        ...(filled !== undefined &&
          filled.length <= SLACK_LIMITS.input && { initial_value: filled }),
      };
  }
}

export function readDialogForm(
  { schema }: FormRequest,
  values: InputValues,
  isoTime: (at: number) => string,
): JsonObject {
  const entries = Object.entries(schema.properties).flatMap(([name, field], index) => {
    const value = readField(field, values, { block: blockId(index), isoTime });
    return value === undefined ? [] : [[name, value] as const];
  });
  // `fromEntries` defines properties: a field called `__proto__` stays a field.
  return { values: Object.fromEntries(entries) };
}

function readField(
  field: FormField,
  values: InputValues,
  { block, isoTime }: { readonly block: string; readonly isoTime: (at: number) => string },
): Json | undefined {
  const choices = choicesOf(field);
  const chosen = readInputChoices(values, block);
  if (choices !== undefined) {
    const picked = chosen.flatMap((at) => choices[Number(at)]?.value ?? []);
    return field.type === 'array' ? picked : picked[0];
  }
  switch (field.type) {
    case 'boolean':
      return chosen[0] === undefined ? undefined : chosen[0] === 'true';
    case 'number':
    case 'integer': {
      const text = readTyped(values, block);
      return text === undefined || text.trim() === '' ? undefined : readNumber(text);
    }
    default:
      return readTextField(field.type === 'string' ? field.format : undefined, values, {
        block,
        isoTime,
      });
  }
}

/** Text that is no number is sent as it is, so that the session refuses it with its own sentence. */
function readNumber(text: string): Json {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function readTextField(
  format: StringField['format'],
  values: InputValues,
  { block, isoTime }: { readonly block: string; readonly isoTime: (at: number) => string },
): string | undefined {
  if (format === 'date') return readDate(values, block);
  if (format !== 'date-time') return readTyped(values, block);
  const seconds = readDateTime(values, block);
  return seconds === undefined ? undefined : isoTime(seconds * 1_000);
}

/** The sentences of the session, at the blocks of their fields. */
export function formErrors(
  { schema }: FormRequest,
  fieldErrors: Readonly<Record<string, string>>,
): InputErrors {
  const names = Object.keys(schema.properties);
  const known = Object.entries(fieldErrors).filter(([name]) => names.includes(name));
  return Object.fromEntries(known.map(([name, text]) => [blockId(names.indexOf(name)), text]));
}
