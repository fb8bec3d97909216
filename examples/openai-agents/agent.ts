import { execSync } from 'node:child_process';
import { Agent, run, tool } from '@openai/agents';
import { connect } from 'holdpoint/client';
import { answerInterruptions, askHumanOptions } from 'holdpoint/openai-agents';
import * as z from 'zod';

const holdpoint = connect({ title: 'OpenAI Agents' });
const shell = tool({
  name: 'run',
  description: 'Runs a shell command',
  parameters: z.object({ command: z.string() }),
  needsApproval: true,
  execute: ({ command }) => execSync(command, { encoding: 'utf8' }),
});
const agent = new Agent({ name: 'Helper', tools: [shell, tool(askHumanOptions(holdpoint))] });

let result = await run(agent, process.argv[2] ?? 'Ask me which files to list, and list them.');
while (await answerInterruptions(holdpoint, result)) result = await run(agent, result.state);
console.log(result.finalOutput);
await holdpoint.close();
