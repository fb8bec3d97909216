/**
 * The events of AG-UI 1.0 that a log is shown as, and no others.
 *
 * Written by hand after the schemas of `@ag-ui/core`, which no deployment loads: `npm run e2e:agents` reads every event
 * that is sent with those schemas, and with the official client.
 */
import type { JsonObject } from '../../protocol/json.ts';

/** The version that `RUN_STARTED` declares. */
export const AGUI_PROTOCOL_VERSION = '1.0';

/** What a run waits for: one open interaction. */
export interface AguiInterrupt {
  readonly id: string;
  /** `tool_call` and `input_required` are words of AG-UI; every other reason has our prefix. */
  readonly reason: 'tool_call' | 'input_required' | 'holdpoint:plan_review' | 'holdpoint:link';
  readonly message: string;
  readonly toolCallId?: string;
  readonly responseSchema?: JsonObject;
  /** ISO 8601. A client refuses to answer after it. */
  readonly expiresAt?: string;
  readonly metadata: { readonly holdpoint: JsonObject };
}

/** One answer in the input of a run. */
export interface ResumeEntry {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: unknown;
  readonly metadata?: JsonObject;
}

export type RunOutcome =
  | { readonly type: 'success' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AguiInterrupt[] };

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
}

interface OfMessage {
  readonly messageId: string;
}
interface CallPart {
  readonly toolCallId: string;
}
interface OfRun {
  readonly threadId: string;
  readonly runId: string;
}

/** What happens within a run. */
export type AguiContent =
  | ({ readonly type: 'TEXT_MESSAGE_START'; readonly role: 'user' | 'assistant' } & OfMessage & {
        readonly name?: string;
      })
  | ({ readonly type: 'TEXT_MESSAGE_CONTENT'; readonly delta: string } & OfMessage)
  | ({ readonly type: 'TEXT_MESSAGE_END'; readonly metadata?: JsonObject } & OfMessage)
  | ({ readonly type: 'REASONING_START' | 'REASONING_MESSAGE_END' | 'REASONING_END' } & OfMessage)
  | ({ readonly type: 'REASONING_MESSAGE_START'; readonly role: 'reasoning' } & OfMessage)
  | ({ readonly type: 'REASONING_MESSAGE_CONTENT'; readonly delta: string } & OfMessage)
  | ({ readonly type: 'TOOL_CALL_START'; readonly toolCallName: string } & CallPart)
  | ({ readonly type: 'TOOL_CALL_ARGS'; readonly delta: string } & CallPart)
  | ({ readonly type: 'TOOL_CALL_END' } & CallPart)
  | ({
      readonly type: 'TOOL_CALL_RESULT';
      readonly content: string;
      readonly role: 'tool';
    } & CallPart &
      OfMessage & { readonly metadata?: JsonObject })
  | { readonly type: 'CUSTOM'; readonly name: string; readonly value: JsonObject };

export type AguiEvent = { readonly timestamp?: number } & (
  | AguiContent
  | ({
      readonly type: 'RUN_STARTED';
      readonly protocolVersion: string;
      readonly input?: OfRun & {
        readonly messages: readonly [];
        readonly tools: readonly [];
        readonly context: readonly [];
        readonly resume: readonly ResumeEntry[];
      };
    } & OfRun)
  | ({
      readonly type: 'RUN_FINISHED';
      readonly outcome: RunOutcome;
      readonly usage?: readonly TokenUsage[];
    } & OfRun)
  | { readonly type: 'RUN_ERROR'; readonly message: string; readonly code?: string }
);
