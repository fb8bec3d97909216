/** The questions of a request, as the product asks them. */
import type { QuestionRequest } from '../../../protocol/schema/kinds/question.ts';
import type { JsonObject } from '../../../protocol/types.ts';

export type AskedQuestion = QuestionRequest['questions'][number];

export type AskedQuestions = readonly [AskedQuestion, ...AskedQuestion[]];

/** Undefined for a request that is not a questionnaire of this product. */
export function readQuestions({ questions }: JsonObject): AskedQuestions | undefined {
  return areQuestions(questions) ? questions : undefined;
}

function areQuestions(value: unknown): value is AskedQuestions {
  return Array.isArray(value) && value.length > 0 && value.every(isAskedQuestion);
}

function isAskedQuestion(value: unknown): value is AskedQuestion {
  const { question, options } = (value ?? {}) as JsonObject;
  return typeof question === 'string' && Array.isArray(options);
}

const CHIP_CHARS = 40;

/** What stands for a question where there is no room for it. */
export function chipOf({ header = '', question }: AskedQuestion): string {
  if (header !== '' || question.length <= CHIP_CHARS) return header || question;
  return `${question.slice(0, CHIP_CHARS - 1).toWellFormed()}…`;
}
