/** Dialogs (modal views) of Slack: for a reason, for words on a plan, for questions and forms, and for a refusal. */
import type { InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { FEEDBACK_CHARS, REASON_CHARS } from '../../../protocol/limits.ts';
import type { JsonObject } from '../../../protocol/json.ts';
import { formBlocks, readDialogForm } from './slack-form.ts';
import { type InputErrors, type InputValues, readTyped, readInputChoices } from './slack-inputs.ts';
import type { SlackRequest } from './slack-request.ts';
import { plainText, SLACK_LIMITS, codeBlock, isWhole } from './slack-text.ts';
import type { Question, QuestionRequest } from '../../../protocol/schema/kinds/question.ts';

/** What a dialog sends back with its inputs. */
export interface DialogContext extends AnsweredRequest {
  /** Where the person presses the button, for a sentence that comes after the dialog has closed. */
  readonly channel: string;
}

export type DialogAction = Extract<SlackAction, 'deny' | 'decline' | 'adjust' | 'answer'>;

export function dialogFor(
  action: DialogAction,
  shown: SlackRequest,
  context: DialogContext,
): ModalView | undefined {
  const fields = dialogFields(action, shown);
  if (fields === undefined) return undefined;
  const { title, submit, blocks } = fields;
  return {
    type: 'modal',
    callback_id: `holdpoint.${action}`,
    private_metadata: `${buttonValue(context)}|${context.channel}`,
    title: plainText(title, SLACK_LIMITS.viewTitle),
    submit: plainText(submit, SLACK_LIMITS.viewTitle),
    close: plainText('Back', SLACK_LIMITS.viewTitle),
    blocks,
  };
}

export function readDialogContext(metadata: string): DialogContext | undefined {
  const [value = '', channel = ''] = metadata.split('|');
  const request = readButtonValue(value);
  return request === undefined ? undefined : { ...request, channel };
}

interface DialogFields {
  readonly title: string;
  readonly submit: string;
  readonly blocks: KnownBlock[];
}

/** Undefined for an action that the kind of the request does not have. */
function dialogFields(action: DialogAction, shown: SlackRequest): DialogFields | undefined {
  switch (action) {
    case 'deny':
      return { title: 'Deny', submit: 'Deny', blocks: [textInput('Reason', REASON_CHARS, true)] };
    case 'decline':
      return {
        title: 'Decline to answer',
        submit: 'Decline',
        blocks: [textInput('Reason', REASON_CHARS, true)],
      };
    case 'adjust': {
      const max = Math.min(FEEDBACK_CHARS, SLACK_LIMITS.input);
      const blocks = [textInput('What should change in the plan?', max, false)];
      return { title: 'Request changes', submit: 'Send', blocks };
    }
    case 'answer':
      if (shown.kind === 'question') {
        return { title: 'Answer', submit: 'Send', blocks: questionBlocks(shown.request) };
      }
      if (shown.kind !== 'form') return undefined;
      return { title: 'Fill in', submit: 'Send', blocks: formBlocks(shown.request) };
  }
}

const TEXT_ID = 'text';

function textInput(label: string, max: number, optional: boolean): InputBlock {
  return {
    type: 'input',
    block_id: TEXT_ID,
    optional,
    label: plainText(label, SLACK_LIMITS.label),
    element: { type: 'plain_text_input', action_id: 'value', multiline: true, max_length: max },
  };
}

export type DialogAnswer =
  | { readonly answer: JsonObject }
  /** Sentences at the inputs. */
  | { readonly errors: InputErrors };

export function readDialogAnswer(
  action: DialogAction,
  shown: SlackRequest,
  { values, isoTime }: { readonly values: InputValues; readonly isoTime: (at: number) => string },
): DialogAnswer | undefined {
  const text = readTyped(values, TEXT_ID)?.trim() ?? '';
  const reason = text === '' ? {} : { reason: text };
  switch (action) {
    case 'deny':
      return { answer: { decision: 'deny', ...reason } };
    case 'decline':
      return { answer: { decline: true, ...reason } };
    case 'adjust':
      return text === ''
        ? { errors: { [TEXT_ID]: 'Write what should change.' } }
        : { answer: { decision: 'adjust', feedback: text } };
    case 'answer':
      if (shown.kind === 'question') return readQuestionAnswers(shown.request, values);
      if (shown.kind !== 'form') return undefined;
      return { answer: readDialogForm(shown.request, values, isoTime) };
  }
}

/** In the place of a dialog whose answer was refused. */
export function refusalDialog(sentence: string): ModalView {
  return {
    type: 'modal',
    title: plainText('Not sent', SLACK_LIMITS.viewTitle),
    close: plainText('Close', SLACK_LIMITS.viewTitle),
    blocks: [{ type: 'section', text: plainText(sentence, SLACK_LIMITS.section) }],
  };
}

const SLACK_ACTIONS = [
  'approve',
  'deny',
  'answer',
  'decline',
  'edit',
  'clean_edit',
  'default',
  'adjust',
  'open',
] as const;
export type SlackAction = (typeof SLACK_ACTIONS)[number];

/**
 * Buttons and dialogs: which action they are, and which request with which input they belong to.
 *
 * The delivery that showed the request, and the digest of the input in it.
 */
export interface AnsweredRequest {
  readonly deliveryId: string;
  readonly inputDigest: string;
}

const VALUE = /^(msg_[A-Za-z0-9]{1,64}_\d{1,15}) ([0-9a-f]{64})(?: ([A-Z0-9]{2,32}))?$/;

export function buttonValue({ deliveryId, inputDigest }: AnsweredRequest): string {
  return `${deliveryId} ${inputDigest}`;
}

export function readButtonValue(value: string): AnsweredRequest | undefined {
  const [, deliveryId, inputDigest] = VALUE.exec(value) ?? [];
  return deliveryId === undefined || inputDigest === undefined
    ? undefined
    : { deliveryId, inputDigest };
}

/** Of an approval with choices: which one, counted from 0. A delivery shows one request, so its place is enough. */
export function choiceActionId(index: number): string {
  return `holdpoint.choice.${index}`;
}

export function readChoiceIndex(actionId: string): number | undefined {
  const [, digit] = /^holdpoint\.choice\.([0-7])$/.exec(actionId) ?? [];
  return digit === undefined ? undefined : Number(digit);
}

export function readAction(actionId: string): SlackAction | undefined {
  return SLACK_ACTIONS.find((action) => actionId === `holdpoint.${action}`);
}

/** Whether the dialog shows every word of the questions. */
export function fitsQuestions({ questions }: QuestionRequest): boolean {
  const texts = questions.map(({ question }) => question).join('\n\n');
  if (!isWhole(texts, SLACK_LIMITS.section)) return false;
  return questions.every(
    (question) =>
      isWhole(longOptions(question), SLACK_LIMITS.section) &&
      isWhole(question.question, SLACK_LIMITS.label) &&
      question.options.every(({ preview = '' }) => !codeBlock(preview).isCut),
  );
}

function questionBlocks({ questions }: QuestionRequest): KnownBlock[] {
  return questions.flatMap((question, index) => blocksOfQuestion(question, index));
}

function blocksOfQuestion(question: Question, index: number): KnownBlock[] {
  const long = longOptions(question);
  const previews = question.options.flatMap(({ label, preview }) =>
    preview === undefined
      ? []
      : [
          { type: 'section' as const, text: plainText(label, SLACK_LIMITS.section) },
          codeBlock(preview).block,
        ],
  );
  const { header, options } = question;
  const isOpen = options.length === 0;
  const words: InputBlock = {
    type: 'input',
    block_id: wordsId(index),
    optional: true,
    label: plainText(isOpen ? question.question : 'Other: type your answer', SLACK_LIMITS.label),
    element: {
      type: 'plain_text_input',
      action_id: 'value',
      multiline: true,
      max_length: SLACK_LIMITS.input,
    },
  };
  return [
    ...(header === undefined
      ? []
      : [{ type: 'header' as const, text: plainText(header, SLACK_LIMITS.header) }]),
    ...(long === ''
      ? []
      : [{ type: 'section' as const, text: plainText(long, SLACK_LIMITS.section) }]),
    ...previews,
    ...(isOpen ? [] : [choiceBlock(question, index)]),
    words,
  ];
}

function choiceBlock({ question, options, multiSelect }: Question, index: number): InputBlock {
  const choices = options.map(
    ({ label }, at): PlainTextOption => ({
      text: plainText(label, SLACK_LIMITS.optionText),
      value: String(at),
    }),
  );
  return {
    type: 'input',
    block_id: choiceId(index),
    optional: true,
    label: plainText(question, SLACK_LIMITS.label),
    element: optionElement(choices, multiSelect),
  };
}

/** Slack has at most ten boxes or buttons; more stand in a list to open. */
function optionElement(options: PlainTextOption[], multiSelect: boolean): InputBlock['element'] {
  const common = { action_id: 'value', options };
  if (options.length > SLACK_LIMITS.boxes) {
    return { type: multiSelect ? 'multi_static_select' : 'static_select', ...common };
  }
  return { type: multiSelect ? 'checkboxes' : 'radio_buttons', ...common };
}

/** What an option has no room for stands above the options, whole. */
function longOptions({ options }: Question): string {
  return options
    .filter(({ label, description }) => !isWhole(label, SLACK_LIMITS.optionText) || description)
    .map(({ label, description }) => (description ? `${label}: ${description}` : label))
    .join('\n');
}

const choiceId = (index: number) => `choice.${index}`;
const wordsId = (index: number) => `words.${index}`;

function readQuestionAnswers(
  { questions }: QuestionRequest,
  values: InputValues,
): { readonly answer: JsonObject } | { readonly errors: InputErrors } {
  const answers: JsonObject = {};
  const errors: Record<string, string> = {};
  for (const [index, { options, multiSelect }] of questions.entries()) {
    const chosen = readInputChoices(values, choiceId(index)).map(
      (at) => options[Number(at)]?.label,
    );
    const labels = chosen.flatMap((label) => label ?? []);
    const words = (readTyped(values, wordsId(index)) ?? '').trim();
    const all = words === '' ? labels : [...labels, words];
    const [first] = all;
    if (first === undefined && options.length === 0) errors[wordsId(index)] = 'Write your answer.';
    else if (first === undefined) errors[choiceId(index)] = 'Choose an answer, or write one.';
    else if (multiSelect) answers[String(index)] = [...new Set(all)];
    else if (all.length === 1) answers[String(index)] = first;
    else errors[wordsId(index)] = 'Choose an answer or write one, not both.';
  }
  return Object.keys(errors).length > 0 ? { errors } : { answer: { answers } };
}
