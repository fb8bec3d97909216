/** A person's words as the answer to an interaction, by its kind. */
import {
  type ApprovalChoice,
  choicesNamed,
  decisionOfWord,
  findChoice,
  readChoices,
} from '../protocol/approval-choices.ts';
import { isObject, isText, type Interaction, type JsonObject } from '../protocol/types.ts';
import { usageError } from './exit-code.ts';
import { readFields, readShownQuestions, type ShownQuestion } from './show-interaction.ts';

export interface AnswerWords {
  readonly words: readonly string[];
  readonly isDecline?: boolean;
  readonly reason?: string | undefined;
  /** The changed input of an approval, as JSON. */
  readonly input?: unknown;
  /** Allow the tool for the rest of the session. */
  readonly isForSession?: boolean;
  /** With it: only commands that begin with these words. */
  readonly prefix?: string | undefined;
  /** With it, or with a choice: every command of a shell. */
  readonly isEveryCommand?: boolean;
  /** A denial ends the turn of the agent as well. */
  readonly isStop?: boolean;
}

const DECISIONS = ['edit', 'clean_edit', 'default', 'adjust'];

export function answerOf(interaction: Interaction, given: AnswerWords): JsonObject {
  const { isDecline = false, reason, words } = given;
  switch (interaction.kind) {
    case 'approval':
      return approvalAnswer(interaction, given);
    case 'plan_review': {
      const [decision = '', ...feedback] = isDecline ? ['adjust', reason ?? ''] : words;
      if (!DECISIONS.includes(decision)) {
        throw usageError(
          `Answer a plan with one of ${DECISIONS.join(', ')}; adjust takes your words.`,
        );
      }
      const text = [...feedback, ...(isDecline ? [] : [reason ?? ''])].join(' ').trim();
      return { decision, ...(text !== '' && { feedback: text }) };
    }
    case 'question':
      return isDecline
        ? declineWith(reason)
        : questionsAnswer(readShownQuestions(interaction), words);
    case 'form':
      return isDecline ? declineWith(reason) : { values: formValues(interaction, words) };
    case 'link':
      return isDecline ? declineWith(reason) : linkAnswer(words);
    default:
      throw usageError(`This program cannot answer a ${interaction.kind}; the chat can.`);
  }
}

function linkAnswer([word = '']: readonly string[]): JsonObject {
  if (/^(opened|open|yes|y)$/i.test(word)) return { opened: true };
  if (/^(done|finished)$/i.test(word)) return { done: true };
  if (/^(decline|no|n)$/i.test(word)) return { decline: true };
  throw usageError('Open the link in a browser first; then answer with opened, done or decline.');
}

function declineWith(reason: string | undefined): JsonObject {
  return { decline: true, ...(reason !== undefined && { reason }) };
}

function approvalAnswer({ request }: Interaction, given: AnswerWords): JsonObject {
  const { isDecline, input, isForSession, isEveryCommand, prefix, isStop } = given;
  const words = given.words.length === 0 && isDecline === true ? ['deny'] : given.words;
  const choices = readChoices(request);
  const read = choices === undefined ? readDecision(words) : readChoice(choices, words);
  const reason = given.reason ?? read.reason;
  if (isStop === true && read.decision === 'approve') {
    throw usageError('--stop goes with a denial.');
  }
  if (
    isForSession !== true &&
    (prefix !== undefined || (isEveryCommand && choices === undefined))
  ) {
    throw usageError('--command and --every-command go with --for-session.');
  }
  if (isForSession === true && choices !== undefined) {
    throw usageError('--for-session: answer with one of the choices instead.');
  }
  if (input !== undefined && !isObject(input)) throw usageError('--input: give a JSON object.');
  const isApproval = read.decision === 'approve';
  return {
    ...read.answer,
    ...(reason !== undefined && { reason }),
    ...(isApproval && input !== undefined && { updatedInput: input }),
    ...(isApproval && isForSession === true && { offer: 'session' }),
    ...(isApproval && isEveryCommand === true && { everyCommand: true }),
    ...(isApproval && prefix !== undefined && { rule: { command: prefix } }),
    ...(isStop === true && { stop: true }),
  };
}

interface ReadApproval {
  readonly decision: ApprovalChoice['decision'];
  readonly answer: JsonObject;
  readonly reason?: string | undefined;
}

/** The short words of a terminal, in the words of a text. */
const LONG_WORDS: ReadonlyMap<string, string> = new Map([
  ['y', 'yes'],
  ['n', 'no'],
]);

function readDecision([word = '', ...more]: readonly string[]): ReadApproval {
  const decision = decisionOfWord(longWord(word));
  if (decision === undefined) {
    throw usageError('Answer an approval with approve or deny, and a reason if you like.');
  }
  return { decision, answer: { decision }, reason: joinReason(more) };
}

/** A choice by its number, id or label, all of the words or the first of them; or a denial without a choice. */
function readChoice(
  choices: readonly ApprovalChoice[],
  [word = '', ...more]: readonly string[],
): ReadApproval {
  const whole = findChosen(choices, [word, ...more].join(' '));
  if (whole !== undefined) return chosenAnswer(whole);
  const reason = joinReason(more);
  const first = findChosen(choices, word);
  if (first !== undefined) return { ...chosenAnswer(first), reason };
  const isNamed = choicesNamed(choices, longWord(word)).length > 0;
  if (decisionOfWord(longWord(word)) === 'deny' && !isNamed) {
    return { decision: 'deny', answer: { decision: 'deny' }, reason };
  }
  throw usageError(
    `Answer with the number of a choice, 1 to ${choices.length}, or its id; or with deny. A reason may follow.`,
  );
}

function chosenAnswer({ id, decision }: ApprovalChoice): ReadApproval {
  return { decision, answer: { choice: id } };
}

/** A number that is the id or the label of another choice names neither. */
function findChosen(choices: readonly ApprovalChoice[], text: string): ApprovalChoice | undefined {
  const named = findChoice(choices, longWord(text));
  const counted = /^[1-9]$/.test(text) ? choices[Number(text) - 1] : undefined;
  if (counted === undefined) return named;
  return choicesNamed(choices, text).every((choice) => choice === counted) ? counted : undefined;
}

function longWord(word: string): string {
  return LONG_WORDS.get(word.toLowerCase()) ?? word;
}

function joinReason(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : words.join(' ');
}

function questionsAnswer(
  questions: readonly ShownQuestion[],
  words: readonly string[],
): JsonObject {
  if (words.length !== questions.length) {
    const wanted = questions.map(({ header, question }) => header || question).join(', ');
    throw usageError(`Give ${questions.length} answers, one for each of: ${wanted}.`);
  }
  const answers = questions.map((question, index) => {
    const chosen = chosenOptions(question, words[index] ?? '');
    const labels = chosen?.map((option) => question.options[option]?.label ?? '');
    if (labels === undefined)
      return question.multiSelect ? [words[index] ?? ''] : (words[index] ?? '');
    return question.multiSelect ? labels : (labels[0] ?? '');
  });
  return { answers: Object.fromEntries(answers.entries()) };
}

/** One step of several questions, so that another surface can go on with the next one. */
export function stepAnswer(question: ShownQuestion, index: number, text: string): JsonObject {
  const chosen = chosenOptions(question, text);
  if (chosen === undefined) return { question: index, text };
  return question.multiSelect
    ? { question: index, options: chosen }
    : { question: index, option: chosen[0] ?? 0 };
}

/** The options that a text names by label or number, counted from 0; undefined: own words. */
function chosenOptions(
  { options, multiSelect }: ShownQuestion,
  text: string,
): number[] | undefined {
  const find = (word: string): number => {
    const byLabel = options.findIndex(({ label }) => label.trim() === word.trim());
    const number = /^\s*[1-9]\d?\s*$/.test(word) ? Number(word) - 1 : -1;
    return byLabel === -1 && number < options.length ? number : byLabel;
  };
  const whole = find(text);
  if (whole !== -1) return [whole];
  if (!multiSelect) return undefined;
  const parts = text.split(',').map(find);
  return parts.includes(-1) ? undefined : [...new Set(parts)];
}

/** `name=value` for each field, or one JSON object. */
function formValues(interaction: Interaction, words: readonly string[]): JsonObject {
  const [only = '{}', second] = words;
  if (second === undefined && only.trimStart().startsWith('{')) return jsonObject(only);
  const fields = new Map(readFields(interaction).map((field) => [field.name, field.type]));
  const values = words.map((word): [string, JsonObject[string]] => {
    const equals = word.indexOf('=');
    const name = word.slice(0, Math.max(0, equals));
    if (!fields.has(name)) {
      throw usageError(`${word}: write NAME=VALUE with one of ${[...fields.keys()].join(', ')}.`);
    }
    return [name, fieldValue(fields.get(name) ?? '', word.slice(equals + 1))];
  });
  return Object.fromEntries(values);
}

function jsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(
      'The answer is not JSON. Write NAME=VALUE for each field, or one JSON object.',
    );
  }
  if (isObject(value)) return value;
  throw usageError('Give the values of a form as one JSON object.');
}

/** What does not fit its type goes to the server as it is, which says so by the name of the field. */
export function fieldValue(type: string, text: string): string | number | boolean | string[] {
  if (type === 'array')
    return text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  if (type === 'boolean' && /^(yes|y|true|no|n|false)$/i.test(text)) return /^[yt]/i.test(text);
  if (
    (type === 'number' || type === 'integer') &&
    text.trim() !== '' &&
    Number.isFinite(Number(text))
  ) {
    return Number(text);
  }
  return text;
}

/** Who decided, in the words of `settledBy`. */
export function describeSettler({ settledBy }: Pick<Interaction, 'settledBy'>): string {
  if (settledBy === null || !isText(settledBy?.subject)) return 'the service';
  return settledBy.via === 'timeout' ? 'the deadline' : `${settledBy.subject} (${settledBy.via})`;
}
