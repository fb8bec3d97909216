/** The tool that asks a person. Its schema accepts what the question kind accepts. */
import type { ModelTool } from '../model.ts';

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
