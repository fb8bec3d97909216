/**
 * Chooses the next step of a turn after an answer: run its calls, call the model again, or end.
 *
 * Calls run for the stop reason `tool_use` alone. A truncated answer can hold a call whose input looks complete and is
 * not: a call that was cut before its first character reads as a call without input. Such calls get an error.
 */
import { type AssistantMessage, toolUsesIn } from '../message.ts';
import type { StopReason, UnknownStop } from '../model.ts';

export type NextStep =
  | { readonly next: 'run_tools' }
  /** With `userText` as the next message: some models do not continue their own answer. */
  | { readonly next: 'call_again'; readonly userText: string }
  /** `notice` tells the person that the answer is incomplete. */
  | { readonly next: 'end'; readonly notice?: string };

const STOP_NOTICES: Record<Exclude<StopReason, 'tool_use' | 'pause_turn'>, string | undefined> = {
  end_turn: undefined,
  stop_sequence: undefined,
  max_tokens: 'The answer reached the limit of output tokens and was cut off.',
  refusal: 'The model declined to answer this.',
  model_context_window_exceeded:
    'The conversation has become too long for the model. Start a new one, or clear the context.',
};

export function chooseNextStep(
  message: AssistantMessage,
  stopReason: StopReason | UnknownStop,
): NextStep {
  if (typeof stopReason !== 'string') {
    const notice = `The model stopped for an unknown reason: ${stopReason.unknown}.`;
    return { next: 'end', notice };
  }
  switch (stopReason) {
    case 'tool_use':
      return toolUsesIn(message).length > 0
        ? { next: 'run_tools' }
        : { next: 'end', notice: 'The model announced a tool call and made none.' };
    case 'pause_turn':
      return { next: 'call_again', userText: 'Please go on.' };
    default: {
      const notice = STOP_NOTICES[stopReason];
      return notice === undefined ? { next: 'end' } : { next: 'end', notice };
    }
  }
}
