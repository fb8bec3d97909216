/**
 * The conversation as a model receives it, made from the stored messages.
 *
 * Two stored messages of the user can follow each other, if the model failed, declined without text, or was
 * interrupted. The API requires user and assistant to alternate, so they become one message. An answer joins a
 * conversation as far as it can be sent again, or not at all: a valid conversation stays valid.
 */
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type {
  AssistantContent,
  AssistantMessage,
  FileContent,
  ModelMessage,
  UserMessage,
} from './message.ts';
import { isThinking, findOpenConversationProblem } from './validate-conversation.ts';

export function toConversation(stored: readonly ModelMessage[]): ModelConversation {
  const messages: ModelMessage[] = [];
  for (const message of stored) {
    const last = messages.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      messages[messages.length - 1] = joinUserMessages(last, message);
    } else {
      messages.push(message);
    }
  }
  return messages;
}

function joinUserMessages(first: UserMessage, second: UserMessage): UserMessage {
  return { role: 'user', content: [...first.content, ...second.content] };
}

export function toUserMessage(...texts: readonly string[]): UserMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

export function toFileContent(files: readonly AttachedFile[] = []): FileContent[] {
  return files.map((file) => ({ type: 'file', file }));
}

export type ModelConversation = readonly ModelMessage[];
export type AppendResult =
  | { readonly ok: true; readonly messages: ModelConversation }
  | { readonly ok: false; readonly problem: string };

/**
 * Appends the part of an answer that can be sent again. An answer without such a part, such as a refusal without text,
 * adds no message; the next text of the user then joins the previous one.
 */
export function appendAnswer(messages: ModelConversation, answer: AssistantMessage): AppendResult {
  const content = keepSendableBlocks(answer.content);
  if (content.length === 0) return { ok: true, messages };
  return checked([...messages, { role: 'assistant', content }]);
}

function keepSendableBlocks(content: readonly AssistantContent[]): readonly AssistantContent[] {
  const kept = content.filter(
    (block) =>
      !(block.type === 'text' && block.text.trim() === '') &&
      !(block.type === 'thinking' && block.signature === '') &&
      !(block.type === 'redacted_thinking' && block.data === ''),
  );
  const end = kept.findLastIndex((block) => !isThinking(block)) + 1;
  const whole = kept.slice(0, end);
  const firstCall = whole.findIndex(({ type }) => type === 'tool_use');
  const isLate = firstCall !== -1 && whole.findIndex(isThinking) > firstCall;
  return isLate ? whole.filter((block) => !isThinking(block)) : whole;
}

function checked(messages: ModelConversation): AppendResult {
  const problem = findOpenConversationProblem(messages);
  return problem === undefined ? { ok: true, messages } : { ok: false, problem };
}
