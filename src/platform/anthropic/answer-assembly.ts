/**
 * Assembles an answer from its events. The SDK cannot: it takes the end of a connection for the end of an answer, and
 * half an input for a complete one.
 *
 * 1. An answer is complete only after `message_stop`, with every block ended and a reason to stop.
 * 2. A call with an unreadable input is left out if the answer was cut off there (`CUT_OFF`); a retry would be cut off
 *    at the same place. Otherwise an input that is no JSON makes the answer malformed.
 * 3. A call whose input is JSON and would not survive a round trip stays in the answer without it, to be refused: the
 *    model would give the same input again.
 */
import type { AssistantContent } from '../../agent/message.ts';
import {
  type ModelAnswered,
  type ModelDelta,
  STOP_REASONS,
  type StopReason,
  type UnknownStop,
} from '../../agent/model.ts';
import { type AnswerBlock, type FinishedBlock, startBlock } from './answer-block.ts';
import {
  MalformedAnswerError,
  type WireEvent,
  type WireUsage,
  readWireBlock,
  readWireDelta,
  readWireEvent,
} from './wire-events.ts';

const CUT_OFF: readonly string[] = ['max_tokens', 'model_context_window_exceeded', 'refusal'];

type WireEventOf<T extends WireEvent['type']> = Extract<WireEvent, { type: T }>;

/** `null`: a block of an unknown kind; its deltas are ignored. */
interface Slot {
  readonly index: number;
  readonly block: AnswerBlock | null;
}

export class AnswerAssembly {
  readonly #finished: FinishedBlock[] = [];
  readonly #leftOut: string[] = [];
  readonly #usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  #open: Slot | undefined;
  #started = 0;
  #begun = false;
  #stopped = false;
  #stopReason: string | undefined;

  /** Throws `MalformedAnswerError`. */
  take(value: unknown): ModelDelta | undefined {
    const event = readWireEvent(value);
    if (event === undefined) return undefined;
    if (this.#stopped) throw new MalformedAnswerError(`${event.type} came after the end`);
    if (this.#begun === (event.type === 'message_start'))
      throw new MalformedAnswerError(`${event.type} came ${this.#begun ? 'twice' : 'first'}`);
    switch (event.type) {
      case 'message_start':
        this.#begun = true;
        this.#count(event.message.usage);
        return undefined;
      case 'content_block_start':
        return this.#start(event);
      case 'content_block_delta': {
        const { block } = this.#slot(event.index);
        const delta = readWireDelta(event.delta);
        return block === null || delta === undefined ? undefined : block.take(delta);
      }
      case 'content_block_stop':
        return this.#end(event.index);
      case 'message_delta':
        this.#stopReason = event.delta.stop_reason ?? this.#stopReason;
        this.#count(event.usage ?? {});
        return undefined;
      case 'message_stop':
        this.#stopped = true;
        return undefined;
    }
  }

  get isWhole(): boolean {
    return this.#stopped;
  }

  /** Throws `MalformedAnswerError`. */
  answer(): ModelAnswered {
    if (!this.#stopped || this.#open !== undefined)
      throw new MalformedAnswerError('it ended in the middle');
    const reason = this.#stopReason;
    if (reason === undefined) throw new MalformedAnswerError('it ended without a reason to stop');
    const content: AssistantContent[] = [];
    const leftOut = [...this.#leftOut];
    for (const finished of this.#finished) {
      if (finished.ok) content.push(finished.block);
      else if (CUT_OFF.includes(reason)) leftOut.push(finished.problem);
      else if (finished.refusable !== undefined) content.push(finished.refusable);
      else throw new MalformedAnswerError(finished.problem);
    }
    const message = { role: 'assistant' as const, content };
    const usage = { ...this.#usage };
    return { type: 'answered', message, stopReason: stopReasonOf(reason), usage, leftOut };
  }

  #start({ index, content_block }: WireEventOf<'content_block_start'>): ModelDelta | undefined {
    if (this.#open !== undefined || index !== this.#started)
      throw new MalformedAnswerError(`block ${index} began out of order`);
    this.#started += 1;
    const wire = readWireBlock(content_block);
    if (wire === undefined) {
      this.#leftOut.push(`A block of the type ${content_block.type}`);
      this.#open = { index, block: null };
      return undefined;
    }
    const { block, delta } = startBlock(index, wire);
    this.#open = { index, block };
    return delta;
  }

  #end(index: number): ModelDelta | undefined {
    const { block } = this.#slot(index);
    this.#open = undefined;
    if (block === null) return undefined;
    const finished = block.finish();
    this.#finished.push(finished);
    if (!finished.ok || finished.block.type !== 'tool_use') return undefined;
    return { type: 'tool_call_end', block: index, toolUseId: finished.block.id };
  }

  #slot(index: number): Slot {
    if (this.#open?.index === index) return this.#open;
    throw new MalformedAnswerError(`something came for block ${index}, which is not open`);
  }

  /** Each count is the total of the message so far; an absent count has not changed. */
  #count(usage: WireUsage): void {
    this.#usage.inputTokens = usage.input_tokens ?? this.#usage.inputTokens;
    this.#usage.outputTokens = usage.output_tokens ?? this.#usage.outputTokens;
    this.#usage.cacheReadTokens = usage.cache_read_input_tokens ?? this.#usage.cacheReadTokens;
    this.#usage.cacheWriteTokens =
      usage.cache_creation_input_tokens ?? this.#usage.cacheWriteTokens;
  }
}

function stopReasonOf(name: string): StopReason | UnknownStop {
  return STOP_REASONS.find((reason) => reason === name) ?? { unknown: name };
}
