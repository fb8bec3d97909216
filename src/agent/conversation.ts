/**
 * The conversation as it is sent, made of what was stored piece by piece.
 *
 * What a person says can follow another thing they said, or the results of tools, without an answer between: the model
 * failed, declined without a word, or was interrupted. The API wants the two to take turns.
 */
import type { AssistantContent, AssistantMessage, ModelMessage, UserMessage } from './message.ts';
import { isThinking } from './validate-answer.ts';
import { findOpenConversationProblem } from './validate-conversation.ts';

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

export type ModelConversation = readonly ModelMessage[];
export type AppendResult =
  | { readonly ok: true; readonly messages: ModelConversation }
  | { readonly ok: false; readonly problem: string };

/**
 * What the model said, as far as it can be sent again. An answer of which nothing is left, such as a refusal without a
 * word, adds no message; the next text of the user then joins the one before.
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
