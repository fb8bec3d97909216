/** `holdpoint ask`: one to four questions. */
import { isObject } from '../../protocol/types.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { askPerson } from '../ask-person.ts';
import { type CliCall, type CliAction, parseJsonInput, readInput } from '../cli-command.ts';
import { usageError } from '../exit-code.ts';
import type { GivenOption } from '../read-arguments.ts';

interface WrittenQuestion {
  question: string;
  header?: string;
  options: { label: string; description?: string }[];
  multiSelect: boolean;
  isText?: true;
}

export const ask: CliAction = (call) =>
  askPerson(call, async () => ({
    command: 'ask',
    kind: 'question',
    toolName: 'AskUserQuestion',
    content: { questions: await readAsked(call) },
  }));

async function readAsked(call: CliCall): Promise<unknown[]> {
  const { args } = call;
  const source = args.text('from-json');
  if (source === undefined) return questionsOf(args.positionals, args.given);
  const read = parseJsonInput(await readInput(call, source), '--from-json');
  const questions = isObject(read) && Array.isArray(read.questions) ? read.questions : read;
  if (!Array.isArray(questions)) {
    throw usageError('--from-json: give a list of questions, or {"questions": […]}.');
  }
  return questions.map((one, index) =>
    isObject(one) ? { header: `Question ${index + 1}`, multiSelect: false, ...one } : one,
  );
}

/** `--option`, `--header`, `--text` and `--multi` belong to the question before them; before any, to the first. */
export function questionsOf(
  positionals: readonly string[],
  given: readonly GivenOption[],
): WrittenQuestion[] {
  const [first, ...more] = positionals;
  if (more.length > 0) {
    throw usageError('Put the question into quotes; for a second one use --question.');
  }
  const questions: WrittenQuestion[] = [];
  const early: GivenOption[] = [];
  if (first !== undefined) questions.push(emptyQuestion(first));
  for (const { name, value = '' } of given) {
    const current = questions.at(-1);
    if (name === 'question') questions.push(emptyQuestion(value));
    else if (current === undefined) early.push({ name, value });
    else applyOption(current, name, value);
  }
  const [target] = questions;
  if (target === undefined)
    throw usageError('What is the question? holdpoint ask "Deploy now?" --option Yes --option No');
  for (const { name, value = '' } of early) applyOption(target, name, value);
  if (questions.length > LIMITS.questions) {
    throw usageError(`Ask at most ${LIMITS.questions} questions at once.`);
  }
  return questions.map((one, index) => checkQuestion(one, index, questions.length));
}

function emptyQuestion(question: string): WrittenQuestion {
  return { question, options: [], multiSelect: false };
}

function applyOption(question: WrittenQuestion, name: string, value: string): void {
  if (name === 'header') question.header = value;
  if (name === 'multi') question.multiSelect = true;
  if (name === 'text') question.isText = true;
  if (name === 'option') question.options.push({ label: value });
  const last = question.options.at(-1);
  if (name === 'about') {
    if (last === undefined) throw usageError('--about describes the --option before it.');
    last.description = value;
  }
}

/** Without options a person is asked for yes or no, or with `--text` for words; other words are always possible. */
function checkQuestion(
  { isText, ...one }: WrittenQuestion,
  index: number,
  count: number,
): WrittenQuestion {
  if (one.question.trim() === '') throw usageError('A question is empty.');
  if (isText === true && one.options.length > 0) {
    throw usageError(
      `"${one.question}" has --text and an --option; other words are always possible.`,
    );
  }
  const isYesNo = one.options.length === 0 && isText !== true;
  const options = isYesNo ? [{ label: 'Yes' }, { label: 'No' }] : one.options;
  if (options.length > LIMITS.questionOptions) {
    throw usageError(
      `"${one.question}" has more than ${LIMITS.questionOptions} options; other words are always possible.`,
    );
  }
  const header = one.header ?? (count === 1 ? 'Question' : `Question ${index + 1}`);
  if (header.length > LIMITS.questionHeaderChars) {
    throw usageError(`--header ${header}: at most ${LIMITS.questionHeaderChars} characters.`);
  }
  return { ...one, header, options };
}
