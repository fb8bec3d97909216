/** The events of a turn for the sender of its message (STR-1), made from the log and its deltas. */
import { type ApprovalChoice, readChoices } from '../../protocol/approval-choices.ts';
import type { Interaction, JsonObject, Outcome } from '../../protocol/types.ts';

interface NamedCall {
  readonly toolCallId: string;
  readonly toolName: string;
}

/** Either id is good for an answer. */
interface InteractionRef {
  readonly toolCallId: string;
  readonly interactionId: string;
}

export type TurnEvent =
  | { readonly type: 'session_status'; readonly status: string; readonly message?: string }
  | {
      readonly type: 'text_delta';
      readonly text: string;
      readonly responseId?: string;
      /** Replaces all of the text that came before under this `responseId`. */
      readonly isReplacement?: true;
    }
  | ({ readonly type: 'tool_call_start' } & NamedCall)
  | { readonly type: 'tool_call_delta'; readonly toolCallId: string; readonly input: string }
  | ({ readonly type: 'tool_call_end'; readonly input: JsonObject } & NamedCall)
  | {
      readonly type: 'tool_result';
      readonly toolCallId: string;
      readonly output: unknown;
      readonly isError: boolean;
    }
  /** `input` is JSON text. With `choices` it is approved by one of them alone. */
  | ({
      readonly type: 'approval_required';
      readonly toolName: string;
      readonly input: string;
      readonly choices?: readonly ApprovalChoice[];
    } & InteractionRef)
  | ({
      readonly type: 'question_prompt';
      readonly questions: readonly JsonObject[];
    } & InteractionRef)
  | ({ readonly type: 'plan_review_required'; readonly plan: string } & InteractionRef)
  | ({ readonly type: 'form_required'; readonly request: JsonObject } & InteractionRef)
  | {
      readonly type: 'interaction_resolved';
      readonly toolCallId: string;
      readonly interactionId: string;
      readonly outcome: Outcome;
      readonly interaction: Interaction;
    }
  | { readonly type: 'error'; readonly message: string; readonly code?: string }
  | { readonly type: 'done'; readonly reason: string };

/** The event for an opened interaction. */
export function askedEvent(
  asked: Pick<Interaction, 'kind' | 'toolCallId' | 'toolName' | 'interactionId' | 'request'>,
): TurnEvent {
  const { kind, toolCallId, toolName, interactionId, request } = asked;
  const ids = { toolCallId, interactionId };
  switch (kind) {
    case 'approval': {
      const choices = readChoices(request);
      const call = { toolName, input: JSON.stringify(request.input) };
      return { type: 'approval_required', ...call, ...(choices && { choices }), ...ids };
    }
    case 'question':
      return { type: 'question_prompt', questions: request.questions as JsonObject[], ...ids };
    case 'plan_review':
      return { type: 'plan_review_required', plan: request.plan as string, ...ids };
    case 'form':
      return { type: 'form_required', request, ...ids };
  }
  // A kind of a newer server: the event says at least that the tool waits for a person.
  return { type: 'session_status', status: 'idle', message: `${toolName} waits for a person` };
}
