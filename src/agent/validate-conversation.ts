/**
 * The rules of the Messages API for a whole conversation, asked before it is sent.
 *
 * The API answers 400 to a conversation that breaks one of them, and it would answer 400 to everything that is said
 * in the session afterwards. Each function returns undefined, or a sentence that names the message and its fault.
 *
 * 1. The user speaks first, and then both in turns.
 * 2. Calls are answered in the very next message: one result each, before any text.
 * 3. No result without its call, and no id twice in a conversation.
 * 4. No message, text or error result is empty.
 * 5. Thinking is signed, comes before the calls it led to, and ends no message.
 */
import {
  type ModelMessage,
  type ToolUseContent,
  type UserMessage,
  toolResultsIn,
  toolUsesIn,
} from './message.ts';
import { findAnswerProblem, describeUnknownBlock } from './validate-answer.ts';

/** Of a conversation in which nothing waits. */
export function findConversationProblem(messages: readonly ModelMessage[]): string | undefined {
  const problem = findOpenConversationProblem(messages);
  if (problem !== undefined) return problem;
  const [open] = toolUsesIn(messages.at(-1));
  if (open === undefined) return undefined;
  return `messages[${messages.length - 1}] calls ${open.name} (${open.id}), and no result follows`;
}

/** Of a conversation that is to be sent: it is the model's turn to speak. */
export function findRequestProblem(messages: readonly ModelMessage[]): string | undefined {
  const problem = findConversationProblem(messages);
  if (problem !== undefined) return problem;
  if (messages.at(-1)?.role === 'user') return undefined;
  return 'the last message is not of the user: there is nothing to answer';
}

/** Of a conversation whose last message may hold calls that are not answered yet. */
export function findOpenConversationProblem(messages: readonly ModelMessage[]): string | undefined {
  if (messages.length === 0) return 'the conversation is empty';
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const problem = findMessageProblem(messages[index - 1], message, seen);
    if (problem !== undefined) return `messages[${index}] ${problem}`;
  }
  return undefined;
}

function findMessageProblem(
  previous: ModelMessage | undefined,
  message: ModelMessage,
  seen: Set<string>,
): string | undefined {
  const expected = previous?.role === 'user' ? 'assistant' : 'user';
  if (message.role !== expected) return `is of the ${message.role}; it is the ${expected}'s turn`;
  if (message.role === 'user') return findUserProblem(message, toolUsesIn(previous));
  for (const { id } of toolUsesIn(message)) {
    if (seen.has(id)) return `uses the id ${id} a second time`;
    seen.add(id);
  }
  return findAnswerProblem(message);
}

function findUserProblem(
  message: UserMessage,
  calls: readonly ToolUseContent[],
): string | undefined {
  if (message.content.length === 0) return 'is empty';
  let sawText = false;
  for (const block of message.content) {
    switch (block.type) {
      case 'text':
        if (block.text.trim() === '') return 'has a text block without text';
        sawText = true;
        break;
      case 'tool_result':
        if (sawText) return `has the result of ${block.toolUseId} after text`;
        if (block.isError && block.content === '')
          return `has an error result without a word, for ${block.toolUseId}`;
        break;
      default:
        return describeUnknownBlock(block);
    }
  }
  return findResultsProblem(
    toolResultsIn(message).map(({ toolUseId }) => toolUseId),
    calls,
  );
}

function findResultsProblem(
  answered: readonly string[],
  calls: readonly ToolUseContent[],
): string | undefined {
  const ids = new Set(calls.map(({ id }) => id));
  const twice = answered.find((id, index) => answered.indexOf(id) !== index);
  if (twice !== undefined) return `has two results for ${twice}`;
  const orphan = answered.find((id) => !ids.has(id));
  if (orphan !== undefined)
    return `has a result for ${orphan}, which the message before did not call`;
  const missing = calls.find(({ id }) => !answered.includes(id));
  if (missing !== undefined) return `has no result for ${missing.name} (${missing.id})`;
  return undefined;
}
