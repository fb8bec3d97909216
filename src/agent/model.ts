/**
 * The port to a language model: one call, one answer, streamed.
 *
 * A call never throws and never rejects; whatever goes wrong is its outcome. It is tried once: when to try again is
 * decided by the run, from storage, so that a pause between two tries survives the process.
 *
 * 1. A message comes whole or not at all. What was streamed before a failure is a preview and is thrown away.
 * 2. `onDelta` is called only before the outcome is known, never after it.
 * 3. After an abort the outcome is `aborted`, whatever had arrived.
 */
import type { JsonObject } from '../protocol/json.ts';
import type { AssistantMessage, ModelMessage } from './message.ts';

/** A JSON Schema of an object: a tool takes its input by name. */
export interface ObjectSchema extends JsonObject {
  type: 'object';
}

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
}

export interface ModelRequest {
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  readonly maxTokens: number;
}

/** `block` is the place in the answer; a preview is put together by it. */
export type ModelDelta =
  | { readonly type: 'text'; readonly block: number; readonly text: string }
  | { readonly type: 'thinking'; readonly block: number; readonly text: string }
  | {
      readonly type: 'tool_call_start';
      readonly block: number;
      readonly toolUseId: string;
      readonly toolName: string;
    }
  | {
      readonly type: 'tool_call_delta';
      readonly block: number;
      readonly toolUseId: string;
      readonly json: string;
    }
  | { readonly type: 'tool_call_end'; readonly block: number; readonly toolUseId: string };

export const STOP_REASONS = [
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** A reason that the API has learned since this was written. */
export interface UnknownStop {
  readonly unknown: string;
}

export interface ModelUsage {
  /** Without what came from a cache or went into one. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

export type FailureReason =
  | 'rate_limited'
  | 'overloaded'
  | 'server_error'
  | 'connection_lost'
  | 'timeout'
  | 'malformed_answer'
  | 'invalid_request'
  | 'not_authorized'
  | 'not_found'
  | 'too_large'
  | 'internal';

export interface ModelAnswered {
  readonly type: 'answered';
  readonly message: AssistantMessage;
  readonly stopReason: StopReason | UnknownStop;
  readonly usage: ModelUsage;
  /** Names what the answer held and the message does not: blocks of an unknown kind, a call that was cut off. */
  readonly leftOut: readonly string[];
}

export interface ModelFailed {
  readonly type: 'failed';
  readonly reason: FailureReason;
  readonly retry: 'later' | 'never';
  /** How long the API asked to wait. */
  readonly retryAfterMs?: number;
  /** For a person: what happened, and what can be done about it if trying again does not help. */
  readonly message: string;
}

export type ModelOutcome = ModelAnswered | ModelFailed | { readonly type: 'aborted' };

export interface ModelCall {
  readonly signal: AbortSignal;
  /** Must not throw: that ends the call as `failed`, with the reason `internal`. */
  readonly onDelta?: (delta: ModelDelta) => void;
}

export interface Model {
  call(request: ModelRequest, call: ModelCall): Promise<ModelOutcome>;
}
