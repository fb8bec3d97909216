/**
 * AskUserQuestion: Holdpoint answers by index, the tool by question text.
 *
 * The model reads each answer as the JSON list of every other way in (QST-11). A bug here looks like an answer that the
 * model never receives.
 */
import type { Question } from '../../client/agent/requests.ts';
import type { QuestionOutcome } from '../../client/agent/outcomes.ts';
import { shownChoices } from '../../protocol/describe-answers.ts';
import { describeAttachedFiles } from '../../protocol/describe-attached-files.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { optionAsObject } from '../../protocol/question-option.ts';
import { isObject } from '../../protocol/types.ts';
import { type PermissionResult, shownText } from './claude-sdk.ts';

interface SdkOption {
  readonly label: string;
  readonly description?: string;
  readonly preview?: string;
}
interface SdkQuestion {
  readonly question: string;
  readonly header: string;
  readonly options: readonly SdkOption[];
  readonly multiSelect?: boolean;
}

/** What a tool asks at most; more is no question of that tool. */
export interface QuestionBounds {
  readonly questions: number;
  readonly options: { readonly min: number; readonly max: number };
  /** The length of the chip. */
  readonly headerChars: number;
}

/** Claude Code tells its model so. */
const OF_CLAUDE: QuestionBounds = { questions: 4, options: { min: 2, max: 4 }, headerChars: 12 };

type Answered = Extract<QuestionOutcome, { outcome: 'answered' }>;

/** Undefined if the input does not hold questions in the form of the tool. */
export function readSdkQuestions(
  input: Readonly<Record<string, unknown>>,
  bounds = OF_CLAUDE,
): SdkQuestion[] | undefined {
  const { questions } = input;
  if (!Array.isArray(questions) || questions.length === 0) return undefined;
  if (questions.length > bounds.questions) return undefined;
  const given = questions.map((one: unknown) =>
    isObject(one) && Array.isArray(one.options)
      ? { ...one, options: one.options.map(optionAsObject) }
      : one,
  );
  return given.every((one) => isSdkQuestion(one, bounds)) ? given : undefined;
}

/** Cuts text that is too long for a card; `answeredInput` uses the whole text again. */
export function askedQuestions(
  questions: readonly SdkQuestion[],
  { headerChars } = OF_CLAUDE,
): Question[] {
  return questions.map(({ question, header, options, multiSelect }, index) => ({
    header: shownText(header.trim() || `Q${index + 1}`, headerChars),
    question: shownText(question, LIMITS.questionChars),
    ...(options.length > 0 && { options: askedOptions(options) }),
    multiSelect: multiSelect === true && options.length > 0,
  }));
}

function askedOptions(options: readonly SdkOption[]): NonNullable<Question['options']> {
  return options.map(({ label, description, preview }) => ({
    label: shownText(label, LIMITS.optionLabelChars),
    ...(description !== undefined && {
      description: shownText(description, LIMITS.optionDescriptionChars),
    }),
    ...(preview !== undefined && { preview: shownText(preview, LIMITS.textChars) }),
  }));
}

export function answeredInput(
  input: Readonly<Record<string, unknown>>,
  questions: readonly SdkQuestion[],
  { answers, attachments }: Pick<Answered, 'answers' | 'attachments'>,
): PermissionResult {
  const files = attachments && describeAttachedFiles(attachments);
  const texts: [string, string][] = [];
  const annotations: [string, { preview: string }][] = [];
  for (const [index, { question, options }] of questions.entries()) {
    const answer = answers[String(index)];
    if (answer === undefined) continue;
    const chosen = (Array.isArray(answer) ? answer : [answer]) as readonly string[];
    const labels = chosen.map((item) => optionOf(options, item)?.label ?? item);
    const shown = JSON.stringify(shownChoices({ question, options }, labels));
    // The answers are all that the model reads.
    const isLast = index === questions.length - 1;
    texts.push([question, files !== undefined && isLast ? `${shown}\n\n${files}` : shown]);
    const preview = Array.isArray(answer) ? undefined : optionOf(options, chosen[0])?.preview;
    if (preview !== undefined) annotations.push([question, { preview }]);
  }
  return {
    behavior: 'allow',
    updatedInput: {
      ...input,
      answers: Object.fromEntries(texts),
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    },
  };
}

function optionOf(options: readonly SdkOption[], answer: string | undefined) {
  return options.find(
    ({ label }) => shownText(label, LIMITS.optionLabelChars).trim() === answer?.trim(),
  );
}

function isSdkQuestion(value: unknown, bounds: QuestionBounds): value is SdkQuestion {
  if (typeof value !== 'object' || value === null) return false;
  const { question, header, options } = value as Partial<SdkQuestion>;
  return (
    typeof question === 'string' &&
    typeof header === 'string' &&
    Array.isArray(options) &&
    options.length >= bounds.options.min &&
    options.length <= bounds.options.max &&
    options.every((option: unknown) => isSdkOption(option))
  );
}

function isSdkOption(value: unknown): value is SdkOption {
  if (typeof value !== 'object' || value === null) return false;
  const { label, description, preview } = value as Partial<SdkOption>;
  const isTextOrNothing = (part: unknown) => part === undefined || typeof part === 'string';
  return typeof label === 'string' && isTextOrNothing(description) && isTextOrNothing(preview);
}
