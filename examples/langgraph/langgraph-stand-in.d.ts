/** As much of LangGraph and LangChain as the example uses; `npm run e2e:agents` runs it with the packages themselves. */
interface Described<Input> {
  name: string;
  description: string;
  schema: { readonly parse: (value: unknown) => Input } | { readonly type: 'object' };
}

interface State {
  readonly messages: readonly { readonly text: string }[];
}

interface Input {
  messages: readonly { role: string; content: string }[];
}

export function tool<Input>(
  execute: (input: Input) => unknown,
  described: Described<Input>,
): object;
export function interrupt(value: unknown): unknown;
export function humanInTheLoopMiddleware(options: { interruptOn: Record<string, boolean> }): object;
export function createAgent(described: {
  model: object;
  tools: readonly object[];
  middleware: readonly object[];
  checkpointer: object;
}): {
  invoke(input: Input | Command, config: { configurable: { thread_id: string } }): Promise<State>;
};

export interface Command {
  readonly resume: unknown;
}
export declare const Command: new (continued: { resume: unknown }) => Command;
export declare const MemorySaver: new () => object;
export declare const ChatOpenAI: new (settings: {
  model: string;
  useResponsesApi: boolean;
}) => object;
