/**
 * What a screen shows of a session: turns, in them containers, in them blocks (TL-1).
 *
 * All of it is immutable, and what did not change keeps its identity from one fold to the next, so a
 * view draws again only the blocks that are other objects. An `id` is unique among its siblings, and
 * so is the `seq` of a turn; an agent may call its turn what a turn without a name is called here.
 */
import type { EventOf, Interaction, JsonObject } from '../../protocol/types.ts';

export type ToolCallStatus = 'pending' | 'running' | 'complete' | 'error';

export interface ToolResult {
  readonly output: unknown;
  readonly isError: boolean;
}

/** One tool call, however many events tell of it (TL-10). */
export interface ToolCallState {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Empty as long as nobody said what the tool was called with. */
  readonly input: JsonObject | '';
  readonly status: ToolCallStatus;
  /** Missing after an end without one: the turn was over, or nobody allowed it. */
  readonly result?: ToolResult;
  /** The kind of what a person was asked for it last. */
  readonly interactiveType?: string;
  readonly questions?: readonly JsonObject[];
}

export interface TextBlock {
  readonly type: 'text';
  readonly id: string;
  readonly text: string;
  /** Missing while it is streamed: nothing of it is in the log. */
  readonly at?: number;
  readonly isStreaming?: true;
  /** The answer was stopped here. */
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
  /** Its `tool_call` has not come: all that is known of it is what a person was asked. */
  readonly isPlaceholder: boolean;
  /** Set where a rule or the mode decided and nobody was asked. */
  readonly decided?: EventOf<'tool_call'>['payload']['decided'];
  /** What a person was asked, oldest first; only the last one may be open. */
  readonly steps: readonly Interaction[];
  /** What was asked before its agent changed it, of the last step; of several changes, the first request. */
  readonly changedFrom?: Interaction;
}
/** Neighbors that nobody was asked about. */
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
  /** What was asked before its agent changed it; of several changes, the first request. */
  readonly changedFrom?: Interaction;
}
type NoticeType = 'session_updated' | 'session_status' | 'context_cleared' | 'history_imported';
/** Something about the session that a person should see: a mode, a rule, a cleared context. */
export interface NoticeBlock {
  readonly type: 'notice';
  readonly id: string;
  readonly event: EventOf<NoticeType>;
}
/** From a newer server, or spoiled on its way; `event` is whatever came. */
export interface UnknownBlock {
  readonly type: 'unknown';
  readonly id: string;
  readonly event: { readonly seq: number; readonly type: string; readonly payload: unknown };
}

/** The blocks that speak of one tool call; those of one call stand next to each other. */
export type CallBlock = ToolBlock | QuestionnaireBlock;
export type Block =
  | CallBlock
  | ToolGroup
  | TextBlock
  | ThinkingBlock
  | UserBlock
  | ErrorBlock
  | NoticeBlock
  | UnknownBlock;

/** `loose` is what an agent said without naming a response or a tool call. */
export type ContainerType = 'response' | 'tool-call-only' | 'loose' | 'user' | 'session';

export interface Container {
  readonly id: string;
  readonly type: ContainerType;
  readonly responseId?: string;
  readonly toolCallId?: string;
  readonly blocks: readonly Block[];
  /** How many texts there are: it names the next one, streamed or stored. */
  readonly texts: number;
}

export type TurnEnd = EventOf<'turn_ended'>['payload'] & { readonly at: number };

export interface Turn {
  /** The first event that belongs to it. */
  readonly seq: number;
  /** What the agent calls it, or `turn-<seq>`. */
  readonly id: string;
  readonly turnId?: string;
  readonly title?: string;
  /** Missing where no `turn_started` was seen. */
  readonly startedAt?: number;
  readonly ended?: TurnEnd;
  readonly containers: readonly Container[];
}
