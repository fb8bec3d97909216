/** `holdpoint plan`: is this plan right, and how should the work go on? */
import { askPerson } from '../ask-person.ts';
import { type CliAction, readInput } from '../cli-command.ts';
import { usageError } from '../exit-code.ts';

export const plan: CliAction = (call) =>
  askPerson(call, async () => {
    const [source, more] = call.args.positionals;
    if (source === undefined || more !== undefined) {
      throw usageError('Name one file with the plan, or - for stdin: holdpoint plan plan.md');
    }
    return {
      command: 'plan',
      kind: 'plan_review',
      toolName: 'ExitPlanMode',
      content: { plan: await readInput(call, source) },
    };
  });
