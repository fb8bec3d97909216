/**
 * Answers in the making: for each question what is chosen, and words of one's own beside or instead.
 *
 * Pure. What another surface answered already (`partialAnswers`) is there from the beginning, and what
 * is chosen here goes over it.
 */
import type { JsonObject } from '../../../protocol/types.ts';
import type { QuestionRequest } from '../../../protocol/schema/kinds/question.ts';

export type AskedQuestion = QuestionRequest['questions'][number];

export type AskedQuestions = readonly [AskedQuestion, ...AskedQuestion[]];

export interface Choice {
  readonly labels: readonly string[];
  readonly isOther: boolean;
  readonly other: string;
}

export type QuestionDraft = Readonly<Record<string, Choice>>;
type PartialAnswers = Readonly<Record<string, string | readonly string[]>> | undefined;

const NO_CHOICE: Choice = { labels: [], isOther: false, other: '' };

/** Undefined for what is no questionnaire of ours. */
export function readQuestions({ questions }: JsonObject): AskedQuestions | undefined {
  return areQuestions(questions) ? questions : undefined;
}

function areQuestions(value: unknown): value is AskedQuestions {
  return Array.isArray(value) && value.length > 0 && value.every(isAskedQuestion);
}

function isAskedQuestion(value: unknown): value is AskedQuestion {
  const { header, question, options } = (value ?? {}) as JsonObject;
  return typeof header === 'string' && typeof question === 'string' && Array.isArray(options);
}

export function choiceOf(
  draft: QuestionDraft,
  index: number,
  asked: AskedQuestion,
  partialAnswers: PartialAnswers,
) {
  return draft[index] ?? choiceFromAnswer(asked, partialAnswers?.[index]);
}

function choiceFromAnswer(
  asked: AskedQuestion,
  answer: string | readonly string[] | undefined,
): Choice {
  if (answer === undefined) return NO_CHOICE;
  const all = typeof answer === 'string' ? [answer] : answer;
  const known = new Set(asked.options.map(({ label }) => label));
  const other = all.filter((one) => !known.has(one)).join(', ');
  return { labels: all.filter((one) => known.has(one)), isOther: other !== '', other };
}

/** A single choice takes the place of another; of several each is turned on and off. */
export function chooseOption(choice: Choice, asked: AskedQuestion, label: string): Choice {
  if (!asked.multiSelect) return { ...choice, labels: [label], isOther: false };
  const isOn = choice.labels.includes(label);
  const labels = asked.options
    .map((option) => option.label)
    .filter((one) => (one === label ? !isOn : choice.labels.includes(one)));
  return { ...choice, labels };
}

export function chooseOther(choice: Choice, asked: AskedQuestion, isOther = true): Choice {
  return { ...choice, isOther, labels: asked.multiSelect || !isOther ? choice.labels : [] };
}

/** Writing is choosing: nobody writes an answer they do not mean to give. */
export function writeOther(choice: Choice, asked: AskedQuestion, other: string): Choice {
  return { ...chooseOther(choice, asked, choice.isOther || other.trim() !== ''), other };
}

/**
 * A text as the server would take it for this question (QST-5): a label, the number of one unless a label is a number,
 * else the person's own words; of several, parted by commas.
 */
export function choiceFromText(asked: AskedQuestion, text: string): Choice {
  const labels = asked.options.map(({ label }) => label);
  const hasNumbers = labels.some((label) => Number.isFinite(Number(label)));
  const labelFor = (words: string) =>
    labels.find((label) => label.trim() === words) ??
    (hasNumbers || !/^[1-9]$/.test(words) ? undefined : labels[Number(words) - 1]);
  const whole = labelFor(text.trim());
  if (whole !== undefined) return { labels: [whole], isOther: false, other: '' };
  const parts = asked.multiSelect ? text.split(',') : [text];
  const words = [...new Set(parts.map((part) => part.trim()))].filter((part) => part !== '');
  const known = words.flatMap((part) => labelFor(part) ?? []);
  const other = words.filter((part) => labelFor(part) === undefined).join(', ');
  return { labels: [...new Set(known)], isOther: other !== '', other };
}

/** Undefined: not answered. */
export function answerOfChoice(
  choice: Choice,
  asked: AskedQuestion,
): string | string[] | undefined {
  const own = choice.other.trim();
  if (choice.isOther && own === '') return undefined;
  const all = choice.isOther && own !== '' ? [...choice.labels, own] : [...choice.labels];
  const different = [...new Set(all)];
  if (different.length === 0) return undefined;
  return asked.multiSelect ? different : different.at(-1);
}

export function answerText(answer: string | readonly string[] = ''): string {
  return typeof answer === 'string' ? answer : answer.join(', ');
}

/** Keyed by index; undefined while any question has no answer (INT-10). */
export function answersIn(
  draft: QuestionDraft,
  questions: readonly AskedQuestion[],
  partialAnswers: PartialAnswers,
): Record<string, string | string[]> | undefined {
  const answers: Record<string, string | string[]> = {};
  for (const [index, asked] of questions.entries()) {
    const answer = answerOfChoice(choiceOf(draft, index, asked, partialAnswers), asked);
    if (answer === undefined) return undefined;
    answers[index] = answer;
  }
  return answers;
}

/** The first question without an answer, or the last one. */
export function firstUnanswered(
  draft: QuestionDraft,
  questions: readonly AskedQuestion[],
  partialAnswers: PartialAnswers,
): number {
  const at = questions.findIndex(
    (asked, index) =>
      answerOfChoice(choiceOf(draft, index, asked, partialAnswers), asked) === undefined,
  );
  return at < 0 ? questions.length - 1 : at;
}

/** A draft that was kept, as far as it fits the questions that are asked. */
export function readQuestionDraft(kept: JsonObject | undefined): QuestionDraft {
  const entries = Object.entries(kept ?? {}).filter(
    (entry): entry is [string, Choice & JsonObject] => {
      const { labels, isOther, other } = (entry[1] ?? {}) as JsonObject;
      return (
        Array.isArray(labels) &&
        labels.every((label) => typeof label === 'string') &&
        typeof isOther === 'boolean' &&
        typeof other === 'string'
      );
    },
  );
  return Object.fromEntries(entries);
}
