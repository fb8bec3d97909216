/** Builds conversations as a run does, for tests of their contents. */
import {
  type AssistantMessage,
  type ModelMessage,
  type ToolResultContent,
  type ToolUseContent,
  toolUsesIn,
  type UserContent,
} from '../../src/agent/message.ts';
import { Conversation } from '../../src/agent/conversation.ts';
import { findOpenConversationProblem } from '../../src/agent/validate-conversation.ts';

export type ModelConversation = readonly ModelMessage[];
export type AppendResult =
  | { readonly ok: true; readonly messages: ModelConversation }
  | { readonly ok: false; readonly problem: string };

/** The part of an answer that a run keeps. */
export function appendAnswer(messages: ModelConversation, answer: AssistantMessage): AppendResult {
  const message = new Conversation({ messages }).findSendablePart(answer);
  if (message === undefined) return { ok: false, problem: 'The answer cannot be sent again' };
  return { ok: true, messages: message.content.length === 0 ? messages : [...messages, message] };
}

const NO_WORDS = 'The tool failed without a message.';

/** The calls of the last message; their results must come next. */
export function openCalls(messages: ModelConversation): readonly ToolUseContent[] {
  return toolUsesIn(messages.at(-1));
}

/** A message of a person; refused while calls are open, because their results must come first. */
export function appendUserText(messages: ModelConversation, text: string): AppendResult {
  const [open] = openCalls(messages);
  if (open !== undefined) return { ok: false, problem: `${open.name} (${open.id}) has no result` };
  if (text.trim() === '') return { ok: false, problem: 'The text is blank' };
  return checked(withUserBlocks(messages, [{ type: 'text', text }]));
}

/** All results of the open calls at once, in any order. */
export function appendResults(
  messages: ModelConversation,
  results: readonly ToolResultContent[],
): AppendResult {
  const calls = openCalls(messages);
  const ordered = results.toSorted(
    (left, right) => placeOf(calls, left.toolUseId) - placeOf(calls, right.toolUseId),
  );
  return checked(withUserBlocks(messages, ordered.map(withWords)));
}

/** After an interrupt or a cut response: calls without a result get `message` as an error. */
export function closeOpenCalls(
  messages: ModelConversation,
  collected: readonly ToolResultContent[],
  message: string,
): AppendResult {
  const calls = openCalls(messages);
  if (calls.length === 0 && collected.length === 0) return { ok: true, messages };
  const missing = calls.filter(({ id }) => !collected.some(({ toolUseId }) => toolUseId === id));
  const closing = missing.map(({ id }) => errorResult(id, message));
  return appendResults(messages, [...collected, ...closing]);
}

function errorResult(toolUseId: string, message: string): ToolResultContent {
  return { type: 'tool_result', toolUseId, content: message, isError: true };
}

/** The API refuses an error result without text. */
function withWords(result: ToolResultContent): ToolResultContent {
  return result.isError && result.content === '' ? { ...result, content: NO_WORDS } : result;
}

function withUserBlocks(
  messages: ModelConversation,
  blocks: readonly UserContent[],
): ModelConversation {
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: blocks }];
  return [...messages.slice(0, -1), { role: 'user', content: [...last.content, ...blocks] }];
}

function placeOf(calls: readonly ToolUseContent[], toolUseId: string): number {
  return calls.findIndex(({ id }) => id === toolUseId);
}

function checked(messages: ModelConversation): AppendResult {
  const problem = findOpenConversationProblem(messages);
  return problem === undefined ? { ok: true, messages } : { ok: false, problem };
}
