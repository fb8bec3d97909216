/**
 * Something nobody should allow: the reason of a denial is what the model goes on from.
 *
 * A command where there is a tool for commands; otherwise the same as a script that is written.
 */
import { type Call, type Heard, type Scene, lastResults, quoted } from '../scene.ts';

const COMMAND = 'rm -rf ./releases';

function request({ tools }: Heard): Call {
  if (tools.includes('Bash')) return { name: 'Bash', input: { command: COMMAND } };
  return { name: 'Write', input: { path: 'clean-up.sh', content: `#!/bin/sh\n${COMMAND}\n` } };
}

export const deny: Scene = {
  word: 'deny',
  about: 'I ask for something careless. Deny it and give a reason.',
  play(heard) {
    const [result] = lastResults(heard);
    if (result === undefined) {
      return {
        text: 'To make room I would remove all releases at once. Deny this, and say why.',
        calls: [request(heard)],
      };
    }
    if (!result.isError) {
      return {
        text: `You allowed it, and it ran: ${quoted(result)}. Good that it is a rehearsal.`,
      };
    }
    return {
      text: `Understood: ${quoted(result)}. I go on without it and would list the oldest releases first, so that you can choose.`,
    };
  },
};
