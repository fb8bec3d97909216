/**
 * The model of a screen: turns hold containers, containers hold blocks (TL-1).
 *
 * All parts are immutable, and a part that did not change is the same object after the next fold, so a view redraws only
 * new objects. An `id` is unique among its siblings. For turns use `seq`: an agent may choose the `id` that a turn without
 * a name gets here.
 */
import type { EventOf, Interaction, JsonObject } from '../../protocol/types.ts';

export type ToolCallStatus = 'pending' | 'running' | 'complete' | 'error';

export interface ToolCallResult {
  readonly output: unknown;
  readonly isError: boolean;
}

/** One tool call, from all events about it (TL-10). */
export interface ToolCallState {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Empty until an event has the input. */
  readonly input: JsonObject | '';
  readonly status: ToolCallStatus;
  /** Missing if the call ended without a result: its turn ended, or it was not allowed. */
  readonly result?: ToolCallResult;
  /** The kind of the latest interaction about this call. */
  readonly interactiveType?: string;
  readonly questions?: readonly JsonObject[];
}

export interface TextBlock {
  readonly type: 'text';
  readonly id: string;
  readonly text: string;
  /** Missing for streamed text, which is not in the log. */
  readonly seq?: number;
  readonly at?: number;
  readonly isStreaming?: true;
  /** The answer was interrupted here. */
  readonly isPartial?: true;
}
export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly id: string;
  readonly event: EventOf<'thinking'>;
}
export interface UserBlock {
  readonly type: 'user';
  readonly id: string;
  readonly event: EventOf<'user_message'>;
}
export interface ErrorBlock {
  readonly type: 'error';
  readonly id: string;
  readonly event: EventOf<'error'>;
}
export interface ToolBlock {
  readonly type: 'tool';
  readonly id: string;
  readonly call: ToolCallState;
  /** The `tool_call` event has not come; only the interaction is known. */
  readonly isPlaceholder: boolean;
  /** Of the first `tool_call` event. */
  readonly seq?: number;
  readonly at?: number;
  /** Set if a rule or the mode decided without a person. */
  readonly decided?: EventOf<'tool_call'>['payload']['decided'];
  /** The interactions about this call, oldest first; only the last one may be open. */
  readonly steps: readonly Interaction[];
  /** The request before the agent changed the last step; after several changes, the first one. */
  readonly changedFrom?: Interaction;
}
/** Neighboring calls without an interaction. */
export interface ToolGroup {
  readonly type: 'group';
  readonly id: string;
  readonly tools: readonly ToolBlock[];
}
export interface QuestionnaireBlock {
  readonly type: 'questionnaire';
  readonly id: string;
  readonly call: ToolCallState;
  readonly step: Interaction;
  /** The request before the agent changed it; after several changes, the first one. */
  readonly changedFrom?: Interaction;
}
type NoticeType = 'session_updated' | 'session_status' | 'context_cleared' | 'interaction_update';
/** A change that a person should see: a mode, a rule, a cleared context, a reminder, an escalation. */
export interface NoticeBlock {
  readonly type: 'notice';
  readonly id: string;
  readonly event: EventOf<NoticeType>;
}
/** From here on the agent reads a summary of what is above, or no longer does. */
export interface SummaryBlock {
  readonly type: 'summary';
  readonly id: string;
  readonly event: EventOf<'conversation_compacted' | 'conversation_restored'>;
}
/** An event of a newer server, or a damaged one, as it arrived. */
export interface UnknownBlock {
  readonly type: 'unknown';
  readonly id: string;
  readonly event: { readonly seq: number; readonly type: string; readonly payload: unknown };
}

/** The blocks of a tool call; the blocks of one call are neighbors. */
export type CallBlock = ToolBlock | QuestionnaireBlock;
export type Block =
  | CallBlock
  | ToolGroup
  | TextBlock
  | ThinkingBlock
  | UserBlock
  | ErrorBlock
  | NoticeBlock
  | SummaryBlock
  | UnknownBlock;

/** `loose`: events of an agent without a response id or a tool call id. */
export type ContainerType = 'response' | 'tool-call-only' | 'loose' | 'user' | 'session';

export interface Container {
  readonly id: string;
  readonly type: ContainerType;
  readonly responseId?: string;
  readonly toolCallId?: string;
  readonly blocks: readonly Block[];
  /** The number of texts, which is the id of the next one, streamed or stored. */
  readonly texts: number;
}

export type TurnEnd = EventOf<'turn_ended'>['payload'] & { readonly at: number };

export interface Turn {
  /** The first event that belongs to it. */
  readonly seq: number;
  /** The agent's id of the turn, or `turn-<seq>`. */
  readonly id: string;
  readonly turnId?: string;
  readonly title?: string;
  /** Missing without a `turn_started` event. */
  readonly startedAt?: number;
  readonly ended?: TurnEnd;
  readonly containers: readonly Container[];
}
