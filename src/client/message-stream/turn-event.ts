/** What a turn looks like to whoever sent its message (STR-1): the log and its deltas, projected. */
import type { Interaction, JsonObject, Outcome } from '../../protocol/types.ts';

interface OfCall {
  readonly toolCallId: string;
  readonly toolName: string;
}

/** What a person is asked; either id is good for answering. */
interface Asked {
  readonly toolCallId: string;
  readonly interactionId: string;
}

export type TurnEvent =
  | { readonly type: 'session_status'; readonly status: string; readonly message?: string }
  | {
      readonly type: 'text_delta';
      readonly text: string;
      readonly responseId?: string;
      /** What came before of this text is void: this is all of it. */
      readonly isReplacement?: true;
    }
  | ({ readonly type: 'tool_call_start' } & OfCall)
  | { readonly type: 'tool_call_delta'; readonly toolCallId: string; readonly input: string }
  | ({ readonly type: 'tool_call_end'; readonly input: JsonObject } & OfCall)
  | {
      readonly type: 'tool_result';
      readonly toolCallId: string;
      readonly output: unknown;
      readonly isError: boolean;
    }
  /** `input` is JSON text. */
  | ({
      readonly type: 'approval_required';
      readonly toolName: string;
      readonly input: string;
    } & Asked)
  | ({ readonly type: 'question_prompt'; readonly questions: readonly JsonObject[] } & Asked)
  | ({ readonly type: 'plan_review_required'; readonly plan: string } & Asked)
  | ({ readonly type: 'form_required'; readonly request: JsonObject } & Asked)
  | {
      readonly type: 'interaction_resolved';
      readonly toolCallId: string;
      readonly interactionId: string;
      readonly outcome: Outcome;
      readonly interaction: Interaction;
    }
  | { readonly type: 'error'; readonly message: string; readonly code?: string }
  | { readonly type: 'done'; readonly reason: string };
