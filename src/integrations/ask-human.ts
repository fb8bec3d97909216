/**
 * The tool `ask_human` for frameworks without a question of their own: the model asks, a person answers, and the model
 * reads the answers as the result of its call. It runs nothing, so no approval is needed for it.
 */
import type { Holdpoint } from '../client/agent/holdpoint.ts';
import type { AskOptions, Question } from '../client/agent/requests.ts';
import { isObject, type JsonObject } from '../protocol/types.ts';
import {
  askedQuestions,
  type QuestionBounds,
  readSdkQuestions,
} from './claude/ask-user-question.ts';
import { orNotAsked } from './fail-closed.ts';

export const ASK_HUMAN = 'ask_human';

export const ASK_HUMAN_DESCRIPTION =
  'Asks a person one to four questions and waits for the answers. Use it for decisions that are not yours to make.';

/** All that a question of Holdpoint takes. */
const BOUNDS: QuestionBounds = { questions: 4, options: { min: 0, max: 12 }, headerChars: 40 };

/** JSON Schema of the input. Fresh for each tool, because frameworks write into the schemas they are given. */
export function askHumanParameters() {
  const text = (description: string) => ({ type: 'string' as const, description });
  return {
    type: 'object' as const,
    properties: {
      questions: {
        type: 'array' as const,
        minItems: 1,
        maxItems: BOUNDS.questions,
        items: {
          type: 'object' as const,
          properties: {
            question: text('The whole question'),
            header: text(`A chip of at most ${BOUNDS.headerChars} characters`),
            options: {
              type: 'array' as const,
              minItems: BOUNDS.options.min,
              maxItems: BOUNDS.options.max,
              description:
                'A person can always answer in other words; without options only in their own',
              items: {
                anyOf: [
                  text('A few words'),
                  {
                    type: 'object' as const,
                    properties: {
                      label: text('A few words'),
                      description: text('What it means'),
                    },
                    required: ['label', 'description'],
                    additionalProperties: false as const,
                  },
                ],
              },
            },
            multiSelect: {
              type: 'boolean' as const,
              description: 'Whether several options may be chosen',
            },
          },
          required: ['question', 'header', 'options', 'multiSelect'],
          additionalProperties: false as const,
        },
      },
    },
    required: ['questions'],
    additionalProperties: false as const,
  };
}

/** What the tool asks, in the form of a question of Holdpoint; undefined if the input does not hold that. */
export function readAskHuman(input: unknown): Question[] | undefined {
  const questions = isObject(input) ? readSdkQuestions(input, BOUNDS) : undefined;
  return questions && askedQuestions(questions, BOUNDS);
}

/** The answers, or why there are none, as text for the model. */
export async function askHuman(
  holdpoint: Holdpoint,
  input: unknown,
  options: AskOptions,
): Promise<string> {
  const questions = readAskHuman(input);
  if (questions === undefined) return 'The input does not hold questions in the form of this tool.';
  return (await orNotAsked(() => holdpoint.ask(questions, options))).message;
}

/** An input that is no object is shown under the name `input`; nothing of it is left out. */
export function shownInput(input: unknown): JsonObject {
  return (isObject(input) ? input : { input: input ?? null }) as JsonObject;
}

/** Arguments that a model wrote as JSON. Undefined if they are not JSON: then nothing may run. */
export function parsedInput(text: string): JsonObject | undefined {
  try {
    return shownInput(JSON.parse(text === '' ? '{}' : text));
  } catch {
    return undefined;
  }
}
