/** An agent behind A2A that asks before its one effect, its clients, and the person in Holdpoint. */
import { vi } from 'vitest';
import type { Holdpoint } from '../../src/client/agent/holdpoint.ts';
import type { Transport } from '../../src/client/transport.ts';
import type * as a2a from '../../src/integrations/a2a/index.ts';
import { withPeople } from '../../src/integrations/a2a/index.ts';
import type { JsonObject } from '../../src/protocol/types.ts';
import { type Pair, pair } from './agent.ts';
import { type Bus, RequestHandler, type Task } from './a2a-sdk.ts';

export const STATE = { working: 2, completed: 3, failed: 4, canceled: 5, inputRequired: 6 };
export const INPUT = { command: 'make deploy' };

type Work = (holdpoint: Holdpoint, request: a2a.A2aRequest) => Promise<string>;

export interface Settings extends Partial<a2a.A2aOptions<a2a.A2aRequest>> {
  readonly work?: Work;
  readonly over?: Pair;
  readonly agent?: Holdpoint;
  /** In which the executor leaves its task. Default: completed. */
  readonly endState?: number;
  /** What an earlier process of the agent has stored. */
  readonly tasks?: Map<string, Task>;
}

/** By default the agent deploys, if a person approves that. */
export function a2aAgent(settings: Settings = {}) {
  const { work, over = pair(), agent, endState = STATE.completed, tasks, ...options } = settings;
  const effects: JsonObject[] = [];
  const deploy: Work = async (holdpoint) => {
    const call = { toolName: 'deploy', input: INPUT, allowEdit: true };
    const outcome = await holdpoint.approve(call);
    if (outcome.outcome !== 'approved') return outcome.message;
    effects.push(outcome.updatedInput);
    return 'deployed';
  };
  const executor = withPeople<a2a.A2aRequest, Bus>(
    agent ?? over.agent,
    {
      async execute(request, bus, holdpoint) {
        const { taskId, contextId, task, userMessage } = request;
        const status = statusOf(STATE.working);
        const history = task?.history ?? [userMessage];
        if (task === undefined)
          bus.publish({ kind: 'task', data: { id: taskId, contextId, status, history } });
        const words = await (work ?? deploy)(holdpoint, request);
        const done = { ...status, state: endState, message: messageOf(taskId, words) };
        bus.publish({ kind: 'statusUpdate', data: { taskId, contextId, status: done } });
      },
    },
    { handler: () => handler, ...options },
  );
  const handler: RequestHandler = new RequestHandler(executor, tasks);
  return {
    ...over,
    executor,
    handler,
    effects,
    /** A blocking message of a client. */
    send: (taskId: string, ...parts: readonly (string | JsonObject)[]) =>
      handler.sendMessage(paramsOf(messageOf(taskId, ...parts)), { user: 'client' }),
    stream: (taskId: string, ...parts: readonly (string | JsonObject)[]) =>
      handler.sendMessageStream(paramsOf(messageOf(taskId, ...parts)), { user: 'client' }),
    until: (state: number, taskId = 'task-1') =>
      vi.waitFor(() => {
        const task = handler.task(taskId);
        if (task.status.state !== state) throw new Error(`The task is in ${task.status.state}`);
        return task;
      }, 30_000),
  };
}

/** Another credential of this host than that of the agent. */
export function answerer({ host }: Pair, subject = 'client'): Transport {
  return host.transport({ subject, scopes: ['answer', 'read', 'send'] });
}

let count = 0;

export function messageOf(
  taskId: string,
  ...parts: readonly (string | JsonObject)[]
): a2a.A2aMessage {
  count += 1;
  return {
    messageId: `message-${count}`,
    taskId,
    contextId: '',
    role: 1,
    parts: parts.map((part) => ({
      content: { $case: typeof part === 'string' ? 'text' : 'data', value: part },
      metadata: undefined,
      filename: '',
      mediaType: '',
    })),
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

export function paramsOf(message: a2a.A2aMessage): a2a.A2aMessageToSend {
  return { tenant: '', message, configuration: undefined, metadata: undefined };
}

/** What a task, or a status, says to people and to programs. */
export function saidBy(status: a2a.A2aStatus | undefined): { text: string; data: JsonObject } {
  const parts = status?.message?.parts ?? [];
  const texts = parts.map(({ content }) =>
    content?.$case === 'text' ? String(content.value) : '',
  );
  const data = parts.map(({ content }) => content).find((one) => one?.$case === 'data')?.value;
  return { text: texts.join('\n'), data: ((data ?? {}) as { holdpoint: JsonObject }).holdpoint };
}

/** The data part with which a program answers what a task shows. */
export function answerTo(task: Task, answer: JsonObject, changes: JsonObject = {}): JsonObject {
  const { interactionId, inputDigest } = saidBy(task.status).data;
  return { holdpoint: { interactionId, inputDigest, answer, ...changes } } as JsonObject;
}

function statusOf(state: number): a2a.A2aStatus {
  return { state, message: undefined, timestamp: undefined };
}
