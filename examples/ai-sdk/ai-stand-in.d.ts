/** As much of `ai` and `@ai-sdk/openai` as the example uses; `npm run e2e:agents` runs it with the packages themselves. */
import type { ApprovalStatus, CallToApprove } from '../../src/integrations/ai-sdk/index.ts';

type Schema<Input> =
  | { readonly parse: (value: unknown) => Input }
  | {
      readonly '~standard': {
        readonly validate: (value: unknown) => { readonly value: Input };
        readonly jsonSchema: { readonly input: () => object };
      };
    };

interface Tool<Input> {
  description: string;
  inputSchema: Schema<Input>;
  execute(input: Input, options: { toolCallId: string; abortSignal?: AbortSignal }): unknown;
}

export function tool<Input>(described: Tool<Input>): Tool<Input>;
export function isStepCount(count: number): object;
export function openai(model: string): object;
export function generateText(asked: {
  model: object;
  tools: object;
  toolApproval?: (asked: { toolCall: CallToApprove }) => Promise<ApprovalStatus>;
  stopWhen: object;
  prompt: string;
}): Promise<{ text: string }>;
