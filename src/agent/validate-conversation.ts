/**
 * The rules of the Messages API for a whole conversation, checked before each request: each message once.
 *
 * The API answers 400 to a conversation that breaks a rule, and then to every later request of the session. Each
 * function returns undefined, or a sentence that names the message and its fault.
 *
 * 1. The first message is the user's; then assistant and user alternate.
 * 2. The next message has one result for each call, before any text, file or picture.
 * 3. Each result has its call, and no id occurs twice in a conversation.
 * 4. No message, text or error result is empty.
 * 5. Thinking is signed, comes before the calls it led to, and ends no message.
 */
import {
  type ModelMessage,
  type ToolUseContent,
  type UserMessage,
  toolResultsIn,
  toolUsesIn,
  type AssistantContent,
  type AssistantMessage,
} from './message.ts';

/** Checks a conversation in which no call waits for a result. */
export function findConversationProblem(messages: readonly ModelMessage[]): string | undefined {
  return findOpenConversationProblem(messages) ?? findOpenCallProblem(messages);
}

/** Checks a conversation that is about to be sent: its last message is the user's. */
export function findRequestProblem(messages: readonly ModelMessage[]): string | undefined {
  return new ConversationCheck().findRequestProblem(messages);
}

/** Checks a conversation whose last message may hold calls without results. */
export function findOpenConversationProblem(messages: readonly ModelMessage[]): string | undefined {
  return new ConversationCheck().findProblem(messages);
}

/**
 * The check of one conversation that grows, each message once. Its last message may still be joined with the next, so
 * that one alone is checked again.
 */
export class ConversationCheck {
  readonly #calls: Set<string>;
  #checked = 0;
  /** In a message that no longer changes. */
  #problem: string | undefined;

  /** `summarized`: the ids of calls before the first message. */
  constructor(summarized: readonly string[] = []) {
    this.#calls = new Set(summarized);
  }

  /** As `findOpenConversationProblem`; the messages begin with those of the last check, except for its last. */
  findProblem(messages: readonly ModelMessage[]): string | undefined {
    if (messages.length === 0) return 'the conversation is empty';
    while (this.#problem === undefined && this.#checked < messages.length - 1) {
      const message = messages[this.#checked] as ModelMessage;
      this.#problem = this.#describe(messages, this.#checked);
      for (const { id } of toolUsesIn(message)) this.#calls.add(id);
      this.#checked += 1;
    }
    return this.#problem ?? this.#describe(messages, messages.length - 1);
  }

  findRequestProblem(messages: readonly ModelMessage[]): string | undefined {
    const problem = this.findProblem(messages) ?? findOpenCallProblem(messages);
    if (problem !== undefined) return problem;
    if (messages.at(-1)?.role === 'user') return undefined;
    return 'the last message is not the user’s: there is nothing to answer';
  }

  /** Of an answer to the conversation, which is not part of it yet. */
  findAnswerProblem(
    messages: readonly ModelMessage[],
    answer: AssistantMessage,
  ): string | undefined {
    return this.findProblem(messages) ?? findMessageProblem(messages.at(-1), answer, this.#calls);
  }

  #describe(messages: readonly ModelMessage[], index: number): string | undefined {
    const message = messages[index] as ModelMessage;
    const problem = findMessageProblem(messages[index - 1], message, this.#calls);
    return problem && `messages[${index}] ${problem}`;
  }
}

function findOpenCallProblem(messages: readonly ModelMessage[]): string | undefined {
  const [open] = toolUsesIn(messages.at(-1));
  if (open === undefined) return undefined;
  return `messages[${messages.length - 1}] calls ${open.name} (${open.id}), and no result follows`;
}

function findMessageProblem(
  previous: ModelMessage | undefined,
  message: ModelMessage,
  /** The ids of all calls before it. */
  calls: ReadonlySet<string>,
): string | undefined {
  const expected = previous?.role === 'user' ? 'assistant' : 'user';
  if (message.role !== expected) return `is of the ${message.role}; it is the ${expected}'s turn`;
  if (message.role === 'user') return findUserProblem(message, toolUsesIn(previous));
  const own = new Set<string>();
  for (const { id } of toolUsesIn(message)) {
    if (calls.has(id) || own.has(id)) return `uses the id ${id} a second time`;
    own.add(id);
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
      case 'file':
      case 'image':
        sawText = true;
        break;
      case 'tool_result':
        if (sawText) return `has the result of ${block.toolUseId} after text`;
        if (block.isError && block.content === '')
          return `has an error result without text, for ${block.toolUseId}`;
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

/** Ids that the API accepts, no longer than an id of the log (`ToolCallId`). */
const TOOL_USE_ID = /^[A-Za-z0-9_-]{1,128}$/;
const TOOL_NAME = /^[A-Za-z0-9_-]{1,128}$/;

export function isThinking(block: AssistantContent | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking';
}

/** Finds the fault for which the API would refuse a message of the assistant, without its context. */
function findAnswerProblem({ content }: AssistantMessage): string | undefined {
  if (content.length === 0) return 'is empty';
  for (const block of content) {
    const problem = findBlockProblem(block);
    if (problem !== undefined) return problem;
  }
  if (isThinking(content.at(-1))) return 'ends with thinking';
  const firstThinking = content.findIndex(isThinking);
  const firstCall = content.findIndex(({ type }) => type === 'tool_use');
  if (firstCall !== -1 && firstThinking > firstCall) return 'thinks only after its first tool call';
  return undefined;
}

function findBlockProblem(block: AssistantContent): string | undefined {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? 'has a text block without text' : undefined;
    case 'thinking':
      return block.signature === '' ? 'has thinking without a signature' : undefined;
    case 'redacted_thinking':
      return block.data === '' ? 'has redacted thinking without its data' : undefined;
    case 'tool_use':
      if (!TOOL_USE_ID.test(block.id)) return `has a tool call with the id "${block.id}"`;
      if (!TOOL_NAME.test(block.name)) return `calls a tool by the name "${block.name}"`;
      return undefined;
    default:
      return describeUnknownBlock(block);
  }
}

/** Another version may have stored the conversation. */
function describeUnknownBlock(block: never): string {
  return `has a block of the unknown type ${String((block as { type?: unknown }).type)}`;
}
