/** The built-in tools that ask a person. */
import type { ModelTool } from '../model.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { isPlanFile } from '../../core/gate.ts';
import type { FileEntry, SessionFiles } from './ports.ts';

/** Its schema accepts less than the question kind: a model is asked for few options and a short label. */
export const askUserQuestion: ModelTool = {
  name: 'AskUserQuestion',
  description:
    'Ask the person one to four questions, and wait for the answers. Use it when the task can be read in more than one way, or when a choice is the person’s to make. Each question has two to four options; the person can always answer in other words, so add no option such as “Other”. Ask what belongs together in one call.',
  inputSchema: {
    type: 'object',
    properties: {
      questions: {
        type: 'array',
        minItems: 1,
        maxItems: 4,
        items: {
          type: 'object',
          properties: {
            header: {
              type: 'string',
              minLength: 1,
              maxLength: 12,
              description: 'A label of at most 12 characters, such as “Database”.',
            },
            question: {
              type: 'string',
              minLength: 1,
              maxLength: 2_000,
              description: 'The whole question, with a question mark.',
            },
            options: {
              type: 'array',
              minItems: 2,
              maxItems: 4,
              description: 'Choices with different labels.',
              items: {
                anyOf: [
                  { type: 'string', minLength: 1, maxLength: 200, description: 'A few words.' },
                  {
                    type: 'object',
                    properties: {
                      label: {
                        type: 'string',
                        minLength: 1,
                        maxLength: 200,
                        description: 'A few words.',
                      },
                      description: {
                        type: 'string',
                        maxLength: 2_000,
                        description: 'What choosing it means.',
                      },
                      preview: {
                        type: 'string',
                        maxLength: 32_768,
                        description: 'Text or code to compare the choices by.',
                      },
                    },
                    required: ['label'],
                    additionalProperties: false,
                  },
                ],
              },
            },
            multiSelect: {
              type: 'boolean',
              default: false,
              description: 'True if several options may be chosen.',
            },
          },
          required: ['header', 'question', 'options'],
          additionalProperties: false,
        },
      },
    },
    required: ['questions'],
    additionalProperties: false,
  },
};

/** Shows a plan for review. Only the approval of a person ends plan mode. */
export const exitPlanMode: ModelTool = {
  name: 'ExitPlanMode',
  description:
    'Show the person your plan, and wait for a decision. Use it in plan mode, once the plan is complete and your questions are answered. If the person wants changes you get them as an error: change the plan and show it again. Do not ask in words whether the plan is good; this does.',
  inputSchema: {
    type: 'object',
    properties: {
      plan: {
        type: 'string',
        maxLength: LIMITS.eventTextChars,
        description:
          'The plan in Markdown: what you will do, in which order, and how it is checked.',
      },
    },
    required: ['plan'],
    additionalProperties: false,
  },
};

/** The newest plan file: the review shows it if the call has no plan. Of two of the same moment, the first path. */
export function newestPlan(files: SessionFiles): string | undefined {
  const plans = files.list().filter(({ path }) => isPlanFile(path));
  const newest = plans.reduce<FileEntry | undefined>(newerOf, undefined);
  return newest === undefined ? undefined : files.read(newest.path)?.content;
}

function newerOf(one: FileEntry | undefined, other: FileEntry): FileEntry {
  return one === undefined || other.updatedAt > one.updatedAt ? other : one;
}
