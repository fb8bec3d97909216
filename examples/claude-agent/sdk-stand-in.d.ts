/**
 * As much of `@anthropic-ai/claude-agent-sdk` as the example uses, for a repository that does not
 * install it. `npm run e2e:claude` compiles the example against the package itself.
 */
import type { CanUseTool, OnElicitation } from '../../src/integrations/claude/index.ts';

export type SDKMessage =
  | { type: 'assistant' | 'user' | 'system' }
  | { type: 'result'; subtype: 'success'; result: string }
  | { type: 'result'; subtype: 'error_during_execution' };

export function query(asked: {
  prompt: string;
  options?: {
    permissionMode?: 'default' | 'plan';
    canUseTool?: CanUseTool;
    onElicitation?: OnElicitation;
  };
}): AsyncGenerator<SDKMessage, void>;
