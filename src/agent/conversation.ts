/**
 * The conversation as it is sent, made of what was stored piece by piece.
 *
 * What a person says can follow another thing they said, or the results of tools, without an answer between: the model
 * failed, declined without a word, or was interrupted. The API wants the two to take turns.
 */
import type { AssistantBlock, AssistantMessage, ModelMessage, UserMessage } from './message.ts';
import { isThinking } from './validate-answer.ts';
import { openTranscriptProblem } from './validate-conversation.ts';

export function conversationOf(said: readonly ModelMessage[]): Transcript {
  const messages: ModelMessage[] = [];
  for (const message of said) {
    const last = messages.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      messages[messages.length - 1] = joined(last, message);
    } else {
      messages.push(message);
    }
  }
  return messages;
}

function joined(first: UserMessage, second: UserMessage): UserMessage {
  return { role: 'user', content: [...first.content, ...second.content] };
}

export function userText(...texts: readonly string[]): UserMessage {
  return { role: 'user', content: texts.map((text) => ({ type: 'text', text })) };
}

export type Transcript = readonly ModelMessage[];
export type Appended =
  | { readonly ok: true; readonly messages: Transcript }
  | { readonly ok: false; readonly problem: string };

/**
 * What the model said, as far as it can be sent again. An answer of which nothing is left, such as a refusal without a
 * word, adds no message; the next text of the user then joins the one before.
 */
export function appendAnswer(messages: Transcript, answer: AssistantMessage): Appended {
  const content = sendable(answer.content);
  if (content.length === 0) return { ok: true, messages };
  return checked([...messages, { role: 'assistant', content }]);
}

function sendable(content: readonly AssistantBlock[]): readonly AssistantBlock[] {
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

function checked(messages: Transcript): Appended {
  const problem = openTranscriptProblem(messages);
  return problem === undefined ? { ok: true, messages } : { ok: false, problem };
}
