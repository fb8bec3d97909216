/**
 * The kind `question`: one record, answered as a whole by a card, or step by step by buttons and text.
 *
 * Answers are keyed by question index, so that two questions with the same words do not collide. A single answer is a
 * label or the person's own words and is never parsed: "[draft]" stays a text. Only the text of a multi-select answer
 * is parsed as JSON, and only an array of strings counts.
 */
import { describeAnswers } from '../../protocol/describe-answers.ts';
import { type Rejection, reject } from '../../protocol/errors.ts';
import type { Answers, Interaction } from '../../protocol/schema/interaction.ts';
import {
  type Question,
  QuestionAnswer,
  type QuestionAnswer as QuestionAnswerType,
  QuestionRequest,
} from '../../protocol/schema/kinds/question.ts';
import { formatAnswerTime, defineKind, type AnswerEffect } from './kind.ts';

export const question = defineKind({
  name: 'question',
  presentation: 'questionnaire',
  request: QuestionRequest,
  answer: QuestionAnswer,
  gated: false,
  allowsDefaultAnswer: true,

  input: (request) => request,

  interpret(interaction, request, answer): AnswerEffect {
    if ('decline' in answer) {
      const reason = answer.reason?.trim();
      const declined = { ok: true, type: 'settle', action: 'deny', outcome: 'denied' } as const;
      return reason ? { ...declined, reason } : declined;
    }
    if ('answers' in answer) return interpretAll(request.questions, answer.answers);
    return interpretStep(interaction, request.questions, answer);
  },

  takesText: () => true,
  fromText: (interaction, text) => ({ question: currentStep(interaction), text }),
  textHint: 'Write your answer',

  expired: (interaction) => `User did not respond within ${formatAnswerTime(interaction)}`,
  cancelled: 'Interaction cancelled',

  allow(interaction, request) {
    const answers = interaction.answers ?? {};
    return {
      updatedInput: { ...request, answers },
      message: describeAnswers(request.questions, answers),
    };
  },
  denied: (interaction) =>
    interaction.reason === undefined
      ? 'User declined to answer'
      : `User declined to answer. Reason: ${interaction.reason}`,
});

function currentStep(interaction: Interaction): number {
  return interaction.current ?? 0;
}

function settleAnswered(answers: Answers): AnswerEffect {
  return { ok: true, type: 'settle', action: 'submit', outcome: 'answered', answers };
}

function interpretAll(
  questions: readonly Question[],
  values: Record<string, unknown>,
): AnswerEffect {
  const answers: Answers = {};
  for (const key of Object.keys(values)) {
    if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) >= questions.length) {
      return reject('invalid_answer', `answers.${key}: there is no such question`, { key });
    }
  }
  for (const [index, asked] of questions.entries()) {
    const key = String(index);
    if (!Object.hasOwn(values, key)) {
      return reject('invalid_answer', `answers.${key}: this question has no answer`, { key });
    }
    const value = normalizeAnswer(asked, values[key], key);
    if (typeof value === 'object' && 'ok' in value) return value;
    answers[key] = value;
  }
  return settleAnswered(answers);
}

function interpretStep(
  interaction: Interaction,
  questions: readonly Question[],
  step: Extract<QuestionAnswerType, { question: number }>,
): AnswerEffect {
  const current = currentStep(interaction);
  const key = String(step.question);
  const asked = questions[step.question];
  if (asked === undefined) {
    return reject('invalid_answer', `There is no question ${key}`, { key });
  }
  if (step.question !== current) {
    return reject(
      'step_moved',
      `Question ${current} is the current question; answer that question`,
      { current },
    );
  }
  const raw = readStep(asked, step, key);
  if (typeof raw === 'object' && 'ok' in raw) return raw;
  const value = normalizeAnswer(asked, raw, key);
  if (typeof value === 'object' && 'ok' in value) return value;
  const partialAnswers = { ...interaction.partialAnswers, [key]: value };
  if (current + 1 === questions.length) return settleAnswered(partialAnswers);
  return { ok: true, type: 'advance', change: 'step', current: current + 1, partialAnswers };
}

function readStep(
  asked: Question,
  step: Extract<QuestionAnswerType, { question: number }>,
  key: string,
): string | string[] | Rejection {
  if ('text' in step)
    return asked.multiSelect ? matchOptions(asked, step.text) : matchOption(asked, step.text);
  if ('options' in step && !asked.multiSelect) {
    return reject('invalid_answer', `Question ${key} takes one option, not a list`, { key });
  }
  const indices = 'options' in step ? step.options : [step.option];
  if (new Set(indices).size !== indices.length) {
    return reject('invalid_answer', 'An option is chosen twice', { key });
  }
  const labels: string[] = [];
  for (const index of indices) {
    const option = asked.options[index];
    if (option === undefined) {
      return reject('invalid_answer', `Question ${key} has no option ${index}`, { key });
    }
    labels.push(option.label);
  }
  return asked.multiSelect ? labels : (labels[0] as string);
}

/** Returns an answer in its stored form: a text for a single choice, a list for a multiple choice. */
function normalizeAnswer(
  asked: Question,
  value: unknown,
  key: string,
): string | string[] | Rejection {
  const bad = (why: string) => reject('invalid_answer', `answers.${key}: ${why}`, { key });
  if (!asked.multiSelect) {
    if (typeof value !== 'string') return bad('give one answer as text');
    if (value.trim() === '') return bad('must not be blank');
    return matchLabel(asked, value);
  }
  const list = readStrings(value);
  if (list === undefined) return bad('give a list of texts');
  if (list.length === 0 || list.some((item) => item.trim() === '')) return bad('must not be blank');
  const chosen = list.map((item) => matchLabel(asked, item));
  if (new Set(chosen).size !== chosen.length) return bad('has the same answer twice');
  return chosen;
}

/** Returns the label exactly as offered, with its blanks, or the person's own words, trimmed. */
function matchLabel(asked: Question, value: string): string {
  const words = value.trim();
  return asked.options.find((option) => option.label.trim() === words)?.label ?? words;
}

function readStrings(value: unknown): string[] | undefined {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string') ? value : undefined;
  }
  if (typeof value !== 'string') return undefined;
  try {
    const decoded: unknown = JSON.parse(value);
    if (Array.isArray(decoded) && decoded.every((item) => typeof item === 'string')) return decoded;
  } catch {
    // Text that is not JSON is an answer in the person's own words.
  }
  return [value];
}

/** Reads a text as a label, else as a number counted from 1 unless a label is a number, else as own words. */
function matchOption(asked: Question, text: string): string {
  const words = matchLabel(asked, text);
  const labels = asked.options.map((option) => option.label);
  if (labels.includes(words)) return words;
  const numbersAreLabels = labels.some((label) => Number.isFinite(Number(label)));
  if (numbersAreLabels || !/^[1-9]\d?$/.test(words)) return words;
  return labels[Number(words) - 1] ?? words;
}

function matchOptions(asked: Question, text: string): string[] {
  const whole = matchOption(asked, text);
  if (asked.options.some((option) => option.label === whole)) return [whole];
  const parts = text.split(',').filter((part) => part.trim() !== '');
  return [...new Set(parts.map((part) => matchOption(asked, part)))];
}

/** The answers for a model: one line for each question, several choices joined with ", ". */
