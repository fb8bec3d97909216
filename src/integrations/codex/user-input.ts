/** The questions of `request_user_input` of Codex as questions of Holdpoint. */
import type { Question } from '../../client/agent/requests.ts';
import { isObject, isText } from '../../protocol/guards.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { JsonObject } from '../../protocol/types.ts';
import { shownText } from '../claude/claude-sdk.ts';

export interface UserInput {
  /** Of Codex, in the order of the questions. */
  readonly ids: readonly string[];
  readonly questions: readonly Question[];
}

/** Undefined if they are no questions, too many for one card, or ask for a secret, which every reader of the log would see. */
export function readUserInput(questions: unknown): UserInput | undefined {
  if (!Array.isArray(questions) || questions.length === 0) return undefined;
  if (questions.length > LIMITS.questions) return undefined;
  const read = questions.map(readQuestion);
  if (!read.every((one) => one !== undefined)) return undefined;
  return { ids: read.map(({ id }) => id), questions: read.map(({ question }) => question) };
}

function readQuestion(value: unknown): { id: string; question: Question } | undefined {
  if (!isObject(value) || value.isSecret === true) return undefined;
  const { id, header, question, options } = value;
  if (!isText(id) || !isText(question)) return undefined;
  const choices = Array.isArray(options) ? options.filter(isObject).flatMap(readOption) : [];
  return {
    id,
    question: {
      question: shownText(question, LIMITS.questionChars),
      ...(isText(header) &&
        header.trim() !== '' && { header: shownText(header, LIMITS.questionHeaderChars) }),
      ...(choices.length > 0 && { options: choices }),
    },
  };
}

function readOption({ label, description }: JsonObject) {
  if (!isText(label)) return [];
  return [
    {
      label: shownText(label, LIMITS.optionLabelChars),
      ...(isText(description) && {
        description: shownText(description, LIMITS.optionDescriptionChars),
      }),
    },
  ];
}
