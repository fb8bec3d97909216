/**
 * The conversation as a model receives it, made from the stored messages.
 *
 * It grows, and what it has read stays read: a message is joined, checked and shown once, so that a turn costs what is new
 * in it and not what was before.
 *
 * Two stored messages of the user can follow each other, if the model failed, declined without text, or was
 * interrupted. The API requires user and assistant to alternate, so they become one message.
 */
import type { AttachedFile } from '../protocol/schema/attached-file.ts';
import type {
  AssistantContent,
  AssistantMessage,
  FileContent,
  ModelMessage,
  UserMessage,
} from './message.ts';
import { type ReadAttachedFile, ShownConversation } from './show-files.ts';
import { ConversationCheck, isThinking } from './validate-conversation.ts';

export class Conversation {
  readonly #messages: ModelMessage[] = [];
  readonly #check = new ConversationCheck();
  readonly #shown = new ShownConversation();

  constructor(stored: readonly ModelMessage[]) {
    this.append(stored);
  }

  append(stored: readonly ModelMessage[]): void {
    for (const message of stored) {
      const last = this.#messages.at(-1);
      if (message.role === 'user' && last?.role === 'user') {
        this.#messages[this.#messages.length - 1] = joinUserMessages(last, message);
      } else {
        this.#messages.push(message);
      }
    }
  }

  /** The messages as they are now: later ones are not among them. */
  get messages(): readonly ModelMessage[] {
    return [...this.#messages];
  }

  /** Why the API would refuse it; undefined if it would not. */
  findRequestProblem(): string | undefined {
    return this.#check.findRequestProblem(this.#messages);
  }

  /** With the content of attached files in their place. */
  show(read: ReadAttachedFile): readonly ModelMessage[] {
    return this.#shown.show(this.#messages, read);
  }

  /** The letters of what was shown: what keeping it in memory costs. */
  get shownChars(): number {
    return this.#shown.chars;
  }

  /**
   * The part of an answer that can be sent again; its content may be empty, such as that of a refusal without text.
   * Undefined if the API would refuse the conversation with it: a valid conversation stays valid.
   */
  findSendablePart(answer: AssistantMessage): AssistantMessage | undefined {
    const message = { role: 'assistant', content: keepSendableBlocks(answer.content) } as const;
    if (message.content.length === 0) return message;
    const problem = this.#check.findAnswerProblem(this.#messages, message);
    return problem === undefined ? message : undefined;
  }
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
