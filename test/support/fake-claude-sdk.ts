/** The part of the Claude Agent SDK that the example uses: one tool call that needs a person, and a result. */
import type { CanUseTool } from '../../src/integrations/claude/index.ts';

interface Asked {
  readonly prompt: string;
  readonly options: { readonly canUseTool: CanUseTool };
}

export async function* query({ prompt, options }: Asked) {
  yield { type: 'system' };
  const input = { command: prompt };
  const signal = new AbortController().signal;
  const result = await options.canUseTool('Bash', input, { toolUseID: 'toolu_fake', signal });
  yield { type: 'result', subtype: 'success', result: `${result.behavior} ${prompt}` };
}
