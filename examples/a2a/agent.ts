import { execSync } from 'node:child_process';
import { AgentCard, Task, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, tool } from 'ai';
import express from 'express';
import { withPeople } from 'holdpoint/a2a';
import { askHumanTool } from 'holdpoint/ai-sdk';
import { connect, HttpTransport } from 'holdpoint/client';
import * as z from 'zod';

const { PORT = '41241', HOLDPOINT_URL = '', HOLDPOINT_ANSWER_TOKEN } = process.env;
const url = `http://127.0.0.1:${PORT}`;
const card = AgentCard.fromJSON({
  name: 'Shell',
  description: 'Runs commands that a person approved',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain'],
});

const executor = withPeople(
  connect({ title: 'A2A' }),
  {
    async execute(request: RequestContext, bus: ExecutionEventBus, holdpoint) {
      const { taskId, contextId, task, userMessage } = request;
      const history = task?.history ?? [userMessage];
      const texts = (history[0] ?? userMessage).parts.map(({ content }) =>
        content?.$case === 'text' ? content.value : '',
      );
      const begun = { id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' } };
      if (!task) bus.publish(AgentEvent.task({ ...Task.fromJSON(begun), history }));
      const run = tool({
        description: 'Runs a shell command',
        inputSchema: z.object({ command: z.string() }),
        async execute(input, { toolCallId }) {
          const call = { toolName: 'run', input, allowEdit: true };
          const outcome = await holdpoint.approve(call, { toolCallId });
          if (outcome.outcome !== 'approved') return outcome.message;
          const { command } = outcome.updatedInput;
          if (typeof command !== 'string') return 'The edited input has no command';
          return execSync(command, { encoding: 'utf8' });
        },
      });
      const { text } = await generateText({
        model: openai('gpt-5.2'),
        tools: { run, ask_human: askHumanTool(holdpoint) },
        stopWhen: isStepCount(20),
        prompt: texts.join('\n'),
      });
      const said = { messageId: crypto.randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] };
      const status = { state: 'TASK_STATE_COMPLETED', message: { ...said, taskId, contextId } };
      const ended = TaskStatusUpdateEvent.fromJSON({ taskId, contextId, status });
      bus.publish(AgentEvent.statusUpdate(ended));
    },
  },
  {
    handler: () => handler,
    page: HOLDPOINT_URL,
    // With a second key every client that may send messages may answer too.
    answers: () =>
      HOLDPOINT_ANSWER_TOKEN
        ? new HttpTransport({ url: HOLDPOINT_URL, token: HOLDPOINT_ANSWER_TOKEN })
        : undefined,
  },
);
const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);

const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }));
app.use(jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
app.listen(Number(PORT), '127.0.0.1', () => console.log(`The agent is at ${url}`));
