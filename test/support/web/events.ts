/** Events of an external agent, short enough for a test. */
import type { AppendedEvent, JsonObject } from '../../../src/protocol/types.ts';

type Names = Partial<Record<'turnId' | 'responseId' | 'toolCallId', string>>;

export const begins = (turnId = 't1'): AppendedEvent => ({
  type: 'turn_started',
  turnId,
  payload: {},
});
export const ends = (
  payload: { reason?: 'completed' | 'error' | 'interrupted'; message?: string } = {},
  turnId = 't1',
): AppendedEvent => ({ type: 'turn_ended', turnId, payload });
export const modelText = (
  text: string,
  names: Names = { turnId: 't1', responseId: 'r1' },
): AppendedEvent => ({
  type: 'assistant_text',
  ...names,
  payload: { text },
});
export const calls = (
  toolCallId: string,
  toolName = 'Read',
  input: JsonObject = { path: 'notes.md' },
): AppendedEvent => ({
  type: 'tool_call',
  turnId: 't1',
  responseId: 'r1',
  toolCallId,
  payload: { toolName, input },
});
export const results = (
  toolCallId: string,
  output: unknown = 'ok',
  isError = false,
): AppendedEvent => ({
  type: 'tool_result',
  toolCallId,
  payload: { output, isError },
});
