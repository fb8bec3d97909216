/**
 * The port to a language model: one call, one answer, streamed.
 *
 * A call never throws and never rejects: each failure is an outcome. An adapter tries once. The run decides from
 * storage when to try again, so that a pause between two tries survives the process.
 *
 * 1. A message comes whole or not at all. The deltas before a failure are a preview and are dropped.
 * 2. `onDelta` is never called after the outcome.
 * 3. After an abort the outcome is `aborted`, whatever has arrived.
 */
import type { JsonObject } from '../protocol/json.ts';
import type { Usage } from '../protocol/schema/usage.ts';
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
  /** The API may keep the beginning that the next request has too; what it reads again costs a tenth. */
  readonly isCached: boolean;
}

/** `block` is the index of a block in the answer. */
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

/** A reason that this version does not know. */
export interface UnknownStop {
  readonly unknown: string;
}

/** `inputTokens` are without those read from a cache or written to one. */
export type ModelUsage = Omit<Usage, 'costUsd'>;

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
  /** The conversation has more tokens than the model reads, or more bytes than the API takes. */
  | 'too_long'
  | 'internal';

export interface ModelAnswered {
  readonly type: 'answered';
  readonly message: AssistantMessage;
  readonly stopReason: StopReason | UnknownStop;
  readonly usage: ModelUsage;
  /** Names the parts of the answer that the message lacks: blocks of an unknown kind, a truncated call. */
  readonly leftOut: readonly string[];
}

export interface ModelFailed {
  readonly type: 'failed';
  readonly reason: FailureReason;
  readonly retry: 'later' | 'never';
  /** The pause that the API asks for. */
  readonly retryAfterMs?: number;
  /** For a person: the failure, and a remedy if another try does not help. */
  readonly message: string;
}

export type ModelOutcome = ModelAnswered | ModelFailed | { readonly type: 'aborted' };

export interface ModelCall {
  readonly signal: AbortSignal;
  /** Must not throw: an exception ends the call as `failed`, with the reason `internal`. */
  readonly onDelta?: (delta: ModelDelta) => void;
}

export interface Model {
  call(request: ModelRequest, call: ModelCall): Promise<ModelOutcome>;
}
