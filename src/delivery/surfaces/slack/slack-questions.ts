/** Questions in a dialog of Slack: what it shows of each, and the answer that its inputs give. */
import type { InputBlock, KnownBlock, PlainTextOption } from '@slack/types';
import type { JsonObject } from '../../../protocol/json.ts';
import type { Question, QuestionRequest } from '../../../protocol/schema/kinds/question.ts';
import { type InputErrors, type InputValues, readInputChoices, readTyped } from './slack-inputs.ts';
import { codeBlock, isWhole, plainText, SLACK_LIMITS } from './slack-text.ts';

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

export function questionBlocks({ questions }: QuestionRequest): KnownBlock[] {
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

export function readQuestionAnswers(
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
