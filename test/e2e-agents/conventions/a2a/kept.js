/**
 * An agent that keeps its tasks in a file, and a client that goes on with the task after both were killed. Clients may answer
 * with a key of their own.
 */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { AgentCard, Task, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, tool } from 'ai';
import express from 'express';
import { withPeople } from 'holdpoint/a2a';
import { askHumanTool } from 'holdpoint/ai-sdk';
import { connect, HttpTransport } from 'holdpoint/client';
import * as z from 'zod';
import { driveTask } from './drive-task.js';

const [prompt, file] = process.argv.slice(2);
const { PORT, HOLDPOINT_URL, A2A_ANSWER_TOKEN } = process.env;
const url = `http://127.0.0.1:${PORT}`;
const kept = existsSync(file) ? deserialize(readFileSync(file)) : { tasks: new Map() };

/** A kill in the middle of a write leaves the file before it. */
function keep() {
  writeFileSync(`${file}.new`, serialize(kept));
  renameSync(`${file}.new`, file);
}

class FileTaskStore extends InMemoryTaskStore {
  async load(taskId) {
    return structuredClone(kept.tasks.get(taskId));
  }

  async save(task) {
    kept.tasks.set(task.id, structuredClone(task));
    keep();
  }
}

const card = AgentCard.fromJSON({
  name: 'Kept',
  description: 'Runs commands that a person approved',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
});
const answers = new HttpTransport({ url: HOLDPOINT_URL, token: A2A_ANSWER_TOKEN });
const executor = withPeople(
  connect(),
  {
    async execute({ taskId, contextId, task, userMessage }, bus, holdpoint) {
      const history = task?.history ?? [userMessage];
      const begun = { id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' } };
      if (!task) bus.publish(AgentEvent.task({ ...Task.fromJSON(begun), history }));
      const run = tool({
        inputSchema: z.object({ command: z.string() }),
        async execute(input, { toolCallId }) {
          const call = { toolName: 'run', input, allowEdit: true };
          const outcome = await holdpoint.approve(call, { toolCallId });
          if (outcome.outcome !== 'approved') return outcome.message;
          return execSync(outcome.updatedInput.command, { encoding: 'utf8' });
        },
      });
      const { text } = await generateText({
        model: openai('gpt-5.2'),
        tools: { run, ask_human: askHumanTool(holdpoint) },
        stopWhen: isStepCount(20),
        prompt: history[0].parts.map(({ content }) => content.value).join('\n'),
      });
      const said = { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
      const status = { state: 'TASK_STATE_COMPLETED', message: { ...said, taskId, contextId } };
      const ended = TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status });
      bus.publish(AgentEvent.statusUpdate(ended));
    },
  },
  { handler: () => handler, answers: () => answers },
);
const handler = new DefaultRequestHandler(card, new FileTaskStore(), executor);

const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }));
app.use(jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
await new Promise((resolve) => app.listen(Number(PORT), '127.0.0.1', resolve));

const [taskId] = kept.tasks.keys();
await driveTask(url, taskId === undefined ? prompt : 'Go on.', { taskId });
process.exit(0);
