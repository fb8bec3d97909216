/** A plan for review. It ends plan mode only if the person approves. */
import { LIMITS } from '../../protocol/limits.ts';
import type { ModelTool } from '../model.ts';

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
