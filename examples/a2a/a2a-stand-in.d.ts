/** As much of `@a2a-js/sdk` and express as the examples use; `npm run e2e:agents` runs them with the packages themselves. */
import type * as a2a from '../../src/integrations/a2a/index.ts';

interface Part extends a2a.A2aPart {
  readonly content?:
    | { readonly $case: 'text'; readonly value: string }
    | { readonly $case: 'data'; readonly value: Data };
}

interface Data {
  readonly holdpoint: { readonly interactionId: string; readonly inputDigest: string };
}

interface Message extends a2a.A2aMessage {
  readonly parts: readonly Part[];
}

interface Status extends a2a.A2aStatus {
  readonly message: Message | undefined;
}

export interface Task extends a2a.A2aTask {
  readonly status: Status | undefined;
  readonly history: readonly Message[];
}

interface Codec<Value> {
  fromJSON(value: object): Value;
}

export declare const AgentCard: Codec<object>;
export declare const Task: Codec<Task>;
export declare const TaskStatusUpdateEvent: Codec<object>;
export declare const SendMessageRequest: Codec<object>;
export declare const TaskState: { readonly TASK_STATE_INPUT_REQUIRED: number };

export interface RequestContext extends a2a.A2aRequest {
  readonly task?: Task;
  readonly userMessage: Message;
}

export interface ExecutionEventBus extends a2a.A2aBus {
  finished(): void;
}

interface Executor {
  execute(request: RequestContext, bus: ExecutionEventBus): Promise<void>;
  cancelTask(taskId: string, bus: ExecutionEventBus): Promise<void>;
}

export declare const AgentEvent: Record<'task' | 'statusUpdate', (data: object) => a2a.A2aEvent>;
export declare const InMemoryTaskStore: new () => object;
export declare class DefaultRequestHandler implements a2a.A2aHandler {
  constructor(card: object, store: object, executor: Executor);
  sendMessage(params: a2a.A2aMessageToSend, context: object): Promise<unknown>;
}

export declare class ClientFactory {
  createFromUrl(url: string): Promise<{
    sendMessage(request: object): Promise<Task | { readonly messageId: string }>;
    getTask(request: { tenant: string; id: string }): Promise<Task>;
  }>;
}

export declare const UserBuilder: { readonly noAuthentication: object };
export function agentCardHandler(options: { agentCardProvider: DefaultRequestHandler }): object;
export function jsonRpcHandler(options: {
  requestHandler: DefaultRequestHandler;
  userBuilder: object;
}): object;

export default function express(): {
  use(...handlers: readonly (string | object)[]): void;
  listen(port: number, host: string, ready: () => void): void;
};
