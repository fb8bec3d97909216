/** A graph whose checkpoints are kept in a file, so that it goes on after its program was killed. */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { connect } from 'holdpoint/client';
import { answerInterrupts, askHumanFields } from 'holdpoint/langgraph';
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain';
import { deserialize, serialize } from 'node:v8';
import * as z from 'zod';

const [prompt, file] = process.argv.slice(2);

/** The checkpoints of `MemorySaver`, written after each change. */
class FileSaver extends MemorySaver {
  constructor() {
    super();
    if (existsSync(file)) Object.assign(this, deserialize(readFileSync(file)));
  }

  async put(...checkpoint) {
    const config = await super.put(...checkpoint);
    this.#keep();
    return config;
  }

  async putWrites(...writes) {
    await super.putWrites(...writes);
    this.#keep();
  }

  #keep() {
    writeFileSync(file, serialize({ storage: this.storage, writes: this.writes }));
  }
}

const holdpoint = connect();
const run = tool(({ command }) => execSync(command, { encoding: 'utf8' }), {
  name: 'run',
  description: 'Runs a shell command',
  schema: z.object({ command: z.string() }),
});
const graph = createAgent({
  model: new ChatOpenAI({ model: 'gpt-5.2', useResponsesApi: true }),
  tools: [run, tool((questions) => JSON.stringify(interrupt(questions)), askHumanFields())],
  middleware: [humanInTheLoopMiddleware({ interruptOn: { run: true } })],
  checkpointer: new FileSaver(),
});
const config = { configurable: { thread_id: 'kept' } };
const input = existsSync(file) ? null : { messages: [{ role: 'user', content: prompt }] };
let state = await graph.invoke(input, config);
for (let resume; (resume = await answerInterrupts(holdpoint, state)); )
  state = await graph.invoke(new Command({ resume }), config);
await holdpoint.close();
