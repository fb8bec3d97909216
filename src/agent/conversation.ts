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
import {
  type AssistantContent,
  type AssistantMessage,
  type FileContent,
  type ModelMessage,
  toolResultsIn,
  toolUsesIn,
  type UserMessage,
} from './message.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type ReadAttachedFile, ShownConversation } from './show-files.ts';
import { ConversationCheck, isThinking } from './validate-conversation.ts';

/** What the model reads in the place of the messages before `from`. */
export interface StoredSummary {
  /** Of its event. */
  readonly seq: number;
  /** The number of the first message that it leaves as it is. */
  readonly from: number;
  readonly content: UserMessage['content'];
  /**
   * Of the calls that it and the summaries before it hold. With one of them used again, the log would have two calls of one
   * id, and a person could not take the summary back.
   */
  readonly callIds: readonly string[];
}

/** Messages that follow each other, and the summary of those before them. */
export interface StoredConversation {
  readonly summary?: StoredSummary;
  readonly messages: readonly ModelMessage[];
}

/** The messages that a summary would replace. */
export interface SummarizedPart {
  readonly messages: readonly ModelMessage[];
  /** Of the calls in them, and in what their summary holds. */
  readonly callIds: readonly string[];
  /** The number of the last of them. */
  readonly to: number;
  /** Of the conversation, what it leaves as it is. */
  readonly keptShare: number;
}

export class Conversation {
  /** 0: the model reads every message. */
  readonly summarySeq: number;
  readonly #messages: ModelMessage[] = [];
  /** The number of the first stored message in each of them. */
  readonly #numbers: number[] = [];
  #next: number;
  /** As the last answer says, and an estimate of what came after it. */
  #tokens = 0;
  readonly #summarizedCalls: readonly string[];
  readonly #check: ConversationCheck;
  readonly #shown = new ShownConversation();

  constructor({ summary, messages }: StoredConversation) {
    this.summarySeq = summary?.seq ?? 0;
    this.#summarizedCalls = summary?.callIds ?? [];
    this.#check = new ConversationCheck(this.#summarizedCalls);
    this.#next = summary?.from ?? 1;
    if (summary !== undefined) this.#add({ role: 'user', content: summary.content });
    this.append(messages);
  }

  append(stored: readonly ModelMessage[]): void {
    for (const message of stored) {
      this.#add(message);
      this.#next += 1;
    }
  }

  #add(message: ModelMessage): void {
    const known = message.role === 'assistant' ? message.context : undefined;
    if (known?.summary === this.summarySeq) this.#tokens = known.tokens;
    else this.#tokens += estimateTokens(message);
    const last = this.#messages.at(-1);
    if (message.role === 'user' && last?.role === 'user') {
      this.#messages[this.#messages.length - 1] = joinUserMessages(last, message);
    } else {
      this.#messages.push(message);
      this.#numbers.push(this.#next);
    }
  }

  /** Of the conversation as the next request has it. */
  get tokens(): number {
    return this.#tokens;
  }

  /**
   * The beginning that a summary may replace: at least the last message stays, and before it as many as fit into a share of
   * the whole. It separates no call from its result and holds no call with an open request. Undefined if nothing is left
   * to replace.
   */
  findPartToSummarize(
    keptShare: number,
    isOpenCall: (toolCallId: string) => boolean,
  ): SummarizedPart | undefined {
    const messages = this.#messages;
    const sizes = messages.map(estimateTokens);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    const open = messages.findIndex((one) => toolUsesIn(one).some(({ id }) => isOpenCall(id)));
    const last = open === -1 ? messages.length - 1 : open;
    let end = 0;
    let tokens = 0;
    let kept = 0;
    for (let index = messages.length - 1; index > 0; index -= 1) {
      tokens += sizes[index] as number;
      if (end > 0 && tokens > all * keptShare) break;
      const isCut = toolResultsIn(messages[index]).length > 0;
      if (index > last || isCut) continue;
      end = index;
      kept = tokens;
    }
    // A summary alone, or one message of a person, becomes no shorter.
    if (end < 2) return undefined;
    const to = (this.#numbers[end] as number) - 1;
    const part = messages.slice(0, end);
    const own = part.flatMap((message) => toolUsesIn(message).map(({ id }) => id));
    const callIds = [...this.#summarizedCalls, ...own];
    return { messages: part, callIds, to, keptShare: kept / all };
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
