/**
 * A careless request: the model continues from the reason of the denial.
 *
 * The request is a command where there is a tool for commands, and otherwise a script with the same command.
 */
import {
  type ScriptedCall,
  type TurnInput,
  type Scenario,
  lastResults,
  quoteResult,
} from '../scenario.ts';

const COMMAND = 'rm -rf ./releases';

function askForFile({ tools }: TurnInput): ScriptedCall {
  if (tools.includes('Bash')) return { name: 'Bash', input: { command: COMMAND } };
  return { name: 'Write', input: { path: 'clean-up.sh', content: `#!/bin/sh\n${COMMAND}\n` } };
}

export const denyScenario: Scenario = {
  word: 'deny',
  about: 'I ask for something careless. Deny it and give a reason.',
  play(input) {
    const [result] = lastResults(input);
    if (result === undefined) {
      return {
        text: 'To make room I would remove all releases at once. Deny this, and say why.',
        calls: [askForFile(input)],
      };
    }
    if (!result.isError) {
      return {
        text: `You allowed it, and it ran: ${quoteResult(result)}. Good that this is a demo.`,
      };
    }
    return {
      text: `Understood: ${quoteResult(result)}. I go on without it and would list the oldest releases first, so that you can choose.`,
    };
  },
};
