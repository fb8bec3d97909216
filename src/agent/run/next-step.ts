/**
 * What a turn does when the model has answered: run its calls, call it again, or end.
 *
 * Calls are run for `tool_use` alone. An answer that was cut off can hold a call whose input looks complete and is
 * not: a call that was cut before its first character reads as one without input. Those are answered with an error.
 */
import { type AssistantMessage, toolUsesIn } from '../message.ts';
import type { StopReason, UnknownStop } from '../model.ts';

export type NextStep =
  | { readonly next: 'run_tools' }
  /** With this as the next words of the user: not every model goes on from words of its own. */
  | { readonly next: 'call_again'; readonly userText: string }
  /** `notice` is for the person: the answer is not all that it would have been. */
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
    const notice = `The model stopped for a reason that is not known here: ${stopReason.unknown}.`;
    return { next: 'end', notice };
  }
  switch (stopReason) {
    case 'tool_use':
      return toolUsesIn(message).length > 0
        ? { next: 'run_tools' }
        : { next: 'end', notice: 'The model said that it calls a tool and called none.' };
    case 'pause_turn':
      return { next: 'call_again', userText: 'Please go on.' };
    default: {
      const notice = STOP_NOTICES[stopReason];
      return notice === undefined ? { next: 'end' } : { next: 'end', notice };
    }
  }
}
