/**
 * One block of an answer while it arrives.
 *
 * The input of a call is parsed strictly, once it is complete: half an input that is read leniently is a different
 * input, and a person would approve one input while the tool runs another.
 */
import { isObject } from '../../protocol/guards.ts';
import type { AssistantContent } from '../../agent/message.ts';
import type { ModelDelta } from '../../agent/model.ts';
import { type JsonObject, checkJson, parseJson } from '../../protocol/json.ts';
import { MalformedAnswerError, type WireBlock, type WireDelta } from './wire-events.ts';

export type FinishedBlock =
  | { readonly ok: true; readonly block: AssistantContent }
  | {
      readonly ok: false;
      readonly problem: string;
      /** For an input that is JSON and would not survive a round trip: the call as it can be refused. */
      readonly refusable?: AssistantContent;
    };

export interface AnswerBlock {
  take(delta: WireDelta): ModelDelta | undefined;
  finish(): FinishedBlock;
}

/** Returns the block, and the delta that its start already holds. */
export function startBlock(
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
