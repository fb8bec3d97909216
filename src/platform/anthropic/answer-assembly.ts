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
import {
  MalformedAnswerError,
  type WireEvent,
  type WireUsage,
  readWireBlock,
  readWireDelta,
  readWireEvent,
  type WireBlock,
  type WireDelta,
} from './wire-events.ts';
import { isObject } from '../../protocol/types.ts';
import { type JsonObject, checkJson, parseJson } from '../../protocol/json.ts';

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
        this.#count(event.usage);
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
        this.#stopReason = event.stopReason ?? this.#stopReason;
        this.#count(event.usage);
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

  #start({ index, block: given }: WireEventOf<'content_block_start'>): ModelDelta | undefined {
    if (this.#open !== undefined || index !== this.#started)
      throw new MalformedAnswerError(`block ${index} began out of order`);
    this.#started += 1;
    const wire = readWireBlock(given);
    if (wire === undefined) {
      this.#leftOut.push(`A block of the type ${given.type}`);
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

type FinishedBlock =
  | { readonly ok: true; readonly block: AssistantContent }
  | {
      readonly ok: false;
      readonly problem: string;
      /** For an input that is JSON and would not survive a round trip: the call as it can be refused. */
      readonly refusable?: AssistantContent;
    };

/** One block of an answer while it arrives. */
interface AnswerBlock {
  take(delta: WireDelta): ModelDelta | undefined;
  finish(): FinishedBlock;
}

/** Returns the block, and the delta that its start already holds. */
function startBlock(
  index: number,
  wire: WireBlock,
): { readonly block: AnswerBlock; readonly delta?: ModelDelta } {
  switch (wire.type) {
    case 'text':
      return withText(textBlock(index, wire.text), index, wire.text);
    case 'thinking':
      return { block: thinkingBlock(index, wire.thinking, wire.signature) };
    case 'redacted_thinking': {
      const block = { type: 'redacted_thinking' as const, data: wire.data };
      return { block: { take: rejectDelta, finish: () => ({ ok: true, block }) } };
    }
    case 'tool_use': {
      const { id: toolUseId, name: toolName } = wire;
      const delta = { type: 'tool_call_start', block: index, toolUseId, toolName } as const;
      return { block: toolUseBlock(index, wire), delta };
    }
  }
}

function withText(block: AnswerBlock, index: number, text: string) {
  return text === '' ? { block } : { block, delta: { type: 'text', block: index, text } as const };
}

function textBlock(index: number, start: string): AnswerBlock {
  let text = start;
  return {
    take(delta) {
      if (delta.type !== 'text_delta') return rejectDelta(delta);
      text += delta.text;
      return { type: 'text', block: index, text: delta.text };
    },
    finish: () => ({ ok: true, block: { type: 'text', text } }),
  };
}

function thinkingBlock(index: number, start: string, startSignature: string): AnswerBlock {
  let text = start;
  let signature = startSignature;
  return {
    take(delta) {
      if (delta.type === 'signature_delta') {
        signature = delta.signature;
        return undefined;
      }
      if (delta.type !== 'thinking_delta') return rejectDelta(delta);
      text += delta.thinking;
      return { type: 'thinking', block: index, text: delta.thinking };
    },
    finish: () => ({ ok: true, block: { type: 'thinking', text, signature } }),
  };
}

type ToolUseStart = Extract<WireBlock, { type: 'tool_use' }>;

/**
 * The input is parsed strictly, once it is complete: half an input that is read leniently is a different input, and a
 * person would approve one input while the tool runs another.
 */
function toolUseBlock(index: number, { id, name, input }: ToolUseStart): AnswerBlock {
  let json = '';
  return {
    take(delta) {
      if (delta.type !== 'input_json_delta') return rejectDelta(delta);
      json += delta.partial_json;
      return { type: 'tool_call_delta', block: index, toolUseId: id, json: delta.partial_json };
    },
    finish() {
      const result = json === '' ? checkJson(input ?? {}) : parseJson(json);
      if (!result.ok) {
        const problem = `The input of ${name}: ${result.problem}`;
        if (!isJson(json)) return { ok: false, problem };
        const inputProblem = result.problem;
        return {
          ok: false,
          problem,
          refusable: { type: 'tool_use', id, name, input: {}, inputProblem },
        };
      }
      const { value } = result;
      if (!isObject(value)) return { ok: false, problem: `The input of ${name} is not an object` };
      const whole: JsonObject = value;
      return { ok: true, block: { type: 'tool_use', id, name, input: whole } };
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function rejectDelta(delta: WireDelta): never {
  throw new MalformedAnswerError(`a ${delta.type} came for a block of another type`);
}
