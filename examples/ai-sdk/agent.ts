import { execSync } from 'node:child_process';
import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, tool } from 'ai';
import { askHumanTool, toolApproval } from 'holdpoint/ai-sdk';
import { connect } from 'holdpoint/client';
import * as z from 'zod';

const holdpoint = connect({ title: 'AI SDK' });
const run = tool({
  description: 'Runs a shell command',
  inputSchema: z.object({ command: z.string() }),
  execute: ({ command }) => execSync(command, { encoding: 'utf8' }),
});
const { text } = await generateText({
  model: openai('gpt-5.2'),
  tools: { run, ask_human: askHumanTool(holdpoint) },
  toolApproval: toolApproval(holdpoint),
  stopWhen: isStepCount(20),
  prompt: process.argv[2] ?? 'Ask me which files to list, and list them.',
});
console.log(text);
await holdpoint.close();
