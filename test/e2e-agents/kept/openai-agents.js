/** A program that keeps the state of the OpenAI Agents SDK in a file, and goes on with it after it was killed. */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, run, RunState, tool } from '@openai/agents';
import { connect } from 'holdpoint/client';
import { answerInterruptions, askHumanOptions } from 'holdpoint/openai-agents';
import * as z from 'zod';

const [prompt, file] = process.argv.slice(2);
const holdpoint = connect();
const shell = tool({
  name: 'run',
  description: 'Runs a shell command',
  parameters: z.object({ command: z.string() }),
  needsApproval: true,
  execute: ({ command }) => execSync(command, { encoding: 'utf8' }),
});
const agent = new Agent({ name: 'Helper', tools: [shell, tool(askHumanOptions(holdpoint))] });

const kept = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
let state = kept === undefined ? prompt : await RunState.fromString(agent, kept);
if (kept !== undefined)
  await answerInterruptions(holdpoint, { state, interruptions: state.getInterruptions() });
for (;;) {
  const result = await run(agent, state);
  state = result.state;
  if (result.interruptions.length === 0) break;
  writeFileSync(file, state.toString());
  await answerInterruptions(holdpoint, result);
}
await holdpoint.close();
