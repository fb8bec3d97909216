/**
 * The messages of a conversation, as a session stores them, independent of the API.
 *
 * Thinking keeps its signature and redacted thinking its data: the API refuses a conversation in which either is
 * missing or changed, and with it every later request of the session.
 */
import type { JsonObject } from '../protocol/json.ts';
import type { AttachedFile } from '../protocol/schema/attached-file.ts';

interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

interface ThinkingContent {
  readonly type: 'thinking';
  /** Empty if the API hides the thinking; it is signed all the same. */
  readonly text: string;
  readonly signature: string;
}

interface RedactedThinkingContent {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** Why the input of the model could not be kept; `input` is then empty, and the call is refused. */
  readonly inputProblem?: string;
}

export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: string;
  readonly isError: boolean;
}

/** A file that a person attached. A request has its content in this place (`show-files.ts`). */
export interface FileContent {
  readonly type: 'file';
  readonly file: AttachedFile;
}

/** In a request alone; a stored conversation names the file. */
export interface ImageContent {
  readonly type: 'image';
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export type AssistantContent =
  | TextContent
  | ThinkingContent
  | RedactedThinkingContent
  | ToolUseContent;
export type UserContent = TextContent | ToolResultContent | FileContent | ImageContent;

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly AssistantContent[];
  /** As its usage says; absent in messages from before it was kept. */
  readonly context?: MessageContext;
}

/** The size of a conversation with this answer. */
interface MessageContext {
  readonly tokens: number;
  /** The event of the summary with which the model read it; 0: none. */
  readonly summary: number;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly UserContent[];
}

export type ModelMessage = AssistantMessage | UserMessage;

export function toolUsesIn(message: ModelMessage | undefined): readonly ToolUseContent[] {
  if (message?.role !== 'assistant') return [];
  return message.content.filter((block) => block.type === 'tool_use');
}

export function toolResultsIn(message: ModelMessage | undefined): readonly ToolResultContent[] {
  if (message?.role !== 'user') return [];
  return message.content.filter((block) => block.type === 'tool_result');
}
