/** The tool that shows a plan for review. Only the approval of a person ends plan mode. */
import { LIMITS } from '../../protocol/limits.ts';
import type { ModelTool } from '../model.ts';
import { isPlanFile } from '../../core/gate.ts';
import type { FileEntry, SessionFiles } from './ports.ts';

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
