/**
 * The conversation as it is sent, made of what was stored piece by piece.
 *
 * What a person says can follow another thing they said, or the results of tools, without an answer between: the model
 * failed, declined without a word, or was interrupted. The API wants the two to take turns.
 */
import type { ModelMessage, UserMessage } from './message.ts';
import type { Transcript } from './transcript.ts';

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
