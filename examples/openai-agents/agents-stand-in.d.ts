/** As much of `@openai/agents` as the example uses; `npm run e2e:agents` runs it with the package itself. */
interface Item {
  readonly name: string | undefined;
  readonly arguments: string | undefined;
  readonly rawItem: object;
}

interface State {
  approve(item: Item): void;
  reject(item: Item, options: { message: string }): void;
}

interface Described<Input> {
  name: string;
  description: string;
  parameters: { readonly parse: (value: unknown) => Input } | { readonly type: 'object' };
  needsApproval?: boolean;
  execute(input: Input): unknown;
}

export function tool<Input>(described: Described<Input>): object;

export declare const Agent: new (described: { name: string; tools: readonly object[] }) => Agent;
export interface Agent {
  readonly name: string;
}

export function run(
  agent: Agent,
  input: string | State,
): Promise<{ readonly interruptions: readonly Item[]; state: State; finalOutput?: string }>;
