/**
 * Drafts of answers: for each question the chosen options, and another answer beside or instead of them.
 *
 * Pure. Answers from another surface (`partialAnswers`) are the starting point, and choices made here override them.
 */
import type { JsonObject } from '../../../protocol/types.ts';
import type { AskedQuestion } from './question-request.ts';

export interface QuestionChoice {
  readonly labels: readonly string[];
  readonly isOther: boolean;
  readonly other: string;
}

export type QuestionDraft = Readonly<Record<string, QuestionChoice>>;
type PartialAnswers = Readonly<Record<string, string | readonly string[]>> | undefined;

const NO_CHOICE: QuestionChoice = { labels: [], isOther: false, other: '' };

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
): QuestionChoice {
  if (answer === undefined) return NO_CHOICE;
  const all = typeof answer === 'string' ? [answer] : answer;
  const known = new Set(asked.options.map(({ label }) => label));
  const other = all.filter((one) => !known.has(one)).join(', ');
  return { labels: all.filter((one) => known.has(one)), isOther: other !== '', other };
}

/** A single choice replaces the previous one; in a multiple choice each option toggles. */
export function chooseOption(
  choice: QuestionChoice,
  asked: AskedQuestion,
  label: string,
): QuestionChoice {
  if (!asked.multiSelect) return { ...choice, labels: [label], isOther: false };
  const isOn = choice.labels.includes(label);
  const labels = asked.options
    .map((option) => option.label)
    .filter((one) => (one === label ? !isOn : choice.labels.includes(one)));
  return { ...choice, labels };
}

export function chooseOther(
  choice: QuestionChoice,
  asked: AskedQuestion,
  isOther = true,
): QuestionChoice {
  return { ...choice, isOther, labels: asked.multiSelect || !isOther ? choice.labels : [] };
}

/** Typing selects the field: a typed answer is meant. */
export function writeOther(
  choice: QuestionChoice,
  asked: AskedQuestion,
  other: string,
): QuestionChoice {
  return { ...chooseOther(choice, asked, choice.isOther || other.trim() !== ''), other };
}

/**
 * A text as the server would read it for this question (QST-5): a label, the number of an option unless a label is a
 * number, otherwise a free answer; commas separate several.
 */
export function choiceFromText(asked: AskedQuestion, text: string): QuestionChoice {
  const labels = asked.options.map(({ label }) => label);
  const hasNumbers = labels.some((label) => Number.isFinite(Number(label)));
  const labelFor = (words: string) =>
    labels.find((label) => label.trim() === words) ??
    (hasNumbers || !/^[1-9]\d?$/.test(words) ? undefined : labels[Number(words) - 1]);
  const whole = labelFor(text.trim());
  if (whole !== undefined) return { labels: [whole], isOther: false, other: '' };
  const parts = asked.multiSelect ? text.split(',') : [text];
  const words = [...new Set(parts.map((part) => part.trim()))].filter((part) => part !== '');
  const known = words.flatMap((part) => labelFor(part) ?? []);
  const other = words.filter((part) => labelFor(part) === undefined).join(', ');
  return { labels: [...new Set(known)], isOther: other !== '', other };
}

/** Undefined for an unanswered question. */
export function answerOfChoice(
  choice: QuestionChoice,
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

/** The parts of a stored draft that are well formed. */
export function readQuestionDraft(kept: JsonObject | undefined): QuestionDraft {
  const entries = Object.entries(kept ?? {}).filter(
    (entry): entry is [string, QuestionChoice & JsonObject] => {
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
