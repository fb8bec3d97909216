/** A program that keeps the messages of the AI SDK in a file, and goes on with them after it was killed. */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, tool } from 'ai';
import { answerApprovals, askHumanTool } from 'holdpoint/ai-sdk';
import { connect } from 'holdpoint/client';
import * as z from 'zod';

const [prompt, file] = process.argv.slice(2);
const holdpoint = connect();
const run = tool({
  inputSchema: z.object({ command: z.string() }),
  execute: ({ command }) => execSync(command, { encoding: 'utf8' }),
});
const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
const messages = kept?.messages ?? [{ role: 'user', content: prompt }];
let content = kept?.content;
for (;;) {
  if (content !== undefined) {
    const answers = await answerApprovals(holdpoint, content);
    if (answers.length === 0) break;
    messages.push(...answers);
  }
  const result = await generateText({
    model: openai('gpt-5.2'),
    tools: { run, ask_human: askHumanTool(holdpoint) },
    toolApproval: { run: 'user-approval' },
    stopWhen: isStepCount(20),
    messages,
  });
  messages.push(...result.responseMessages);
  content = result.content;
  writeFileSync(file, JSON.stringify({ messages, content }));
}
await holdpoint.close();
