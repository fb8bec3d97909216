import { execSync } from 'node:child_process';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { connect } from 'holdpoint/client';
import { answerInterrupts, askHumanFields } from 'holdpoint/langgraph';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import * as z from 'zod';

const holdpoint = connect({ title: 'LangGraph' });
const run = tool(({ command }) => execSync(command, { encoding: 'utf8' }), {
  name: 'run',
  description: 'Runs a shell command',
  schema: z.object({ command: z.string() }),
});
const graph = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5.2', useResponsesApi: true }),
  tools: [run, tool((questions) => JSON.stringify(interrupt(questions)), askHumanFields())],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { run: true } })],
  checkpointer: new MemorySaver(),
});

const prompt = process.argv[2] ?? 'Ask me which files to list, and list them.';
const config = { configurable: { thread_id: crypto.randomUUID() } };
let state = await graph.invoke({ messages: [{ role: 'user', content: prompt }] }, config);
for (let resume; (resume = await answerInterrupts(holdpoint, state)); )
  state = await graph.invoke(new Command({ resume }), config);
console.log(state.messages.at(-1)?.text);
await holdpoint.close();
