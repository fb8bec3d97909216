/**
 * The Messages API of Anthropic behind the `Model` port, over its SDK.
 *
 * The SDK sends the request, reads the stream and classifies errors. It does not retry, which the run decides, and it
 * does not decide whether an answer is complete; see `answer-assembly.ts`. Nothing here needs Node.
 *
 * The client of the main entry would bring every resource of the API into the Worker, three times the code.
 */
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import {
  type Base64ImageSource,
  type ContentBlockParam,
  type MessageParam,
  Messages,
  type MessageStreamParams,
  type ThinkingConfigParam,
  type Tool,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { describeAttachedFile } from '../../protocol/describe-attached-files.ts';
import type { Model, ModelCall, ModelOutcome, ModelRequest, ModelTool } from '../../agent/model.ts';
import { AnswerAssembly } from './answer-assembly.ts';
import { failureOf } from './failure.ts';
import { type Fetch, withIdleLimit } from './idle-limit.ts';
import type { AssistantContent, ModelMessage, UserContent } from '../../agent/message.ts';

export interface AnthropicModelOptions {
  readonly apiKey: string;
  readonly baseURL?: string;
  readonly fetch?: Fetch;
  /** Without it the API decides. Not every model takes every setting; the API refuses a wrong one with 400. */
  readonly thinking?: ThinkingConfigParam;
  /** Until the answer begins. */
  readonly beginMs?: number;
  /** Between two pieces of the answer. */
  readonly idleMs?: number;
}

/** Explicit, because the SDK would otherwise read it from the environment. */
const ANTHROPIC_URL = 'https://api.anthropic.com';
const BEGIN_MS = 120_000;
/** The API sends a ping every few seconds while the model thinks. */
const IDLE_MS = 60_000;

export function anthropicModel(options: AnthropicModelOptions): Model {
  // A Worker refuses its own `fetch` when it is called as a method of something else.
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const client = new BaseAnthropic({
    apiKey: options.apiKey,
    authToken: null,
    baseURL: options.baseURL ?? ANTHROPIC_URL,
    fetch: withIdleLimit(fetch, options.idleMs ?? IDLE_MS),
    maxRetries: 0,
    timeout: options.beginMs ?? BEGIN_MS,
    // The SDK would log the text of the model when it is not JSON.
    logLevel: 'off',
    openTelemetry: false,
  });
  const messages = new Messages(client);
  return {
    call: (request, call) => callModel(messages, options, request, call),
  };
}

async function callModel(
  messages: Messages,
  options: AnthropicModelOptions,
  request: ModelRequest,
  { signal, onDelta }: ModelCall,
): Promise<ModelOutcome> {
  let isConnected = false;
  const failed = (cause: unknown) =>
    failureOf(cause, { secret: options.apiKey, now: Date.now(), isConnected });
  const assembly = new AnswerAssembly();
  const fault = signal.aborted ? undefined : await read();
  if (signal.aborted) return { type: 'aborted' };
  // A failure after the end of the answer does not spoil the answer, which has been paid for.
  if (fault !== undefined && !assembly.isWhole) return failed(fault.cause);
  try {
    return assembly.answer();
  } catch (cause) {
    return failed(cause);
  }

  async function read(): Promise<{ readonly cause: unknown } | undefined> {
    try {
      const stream = messages.stream(toWire(request, options.thinking), { signal });
      stream.on('connect', () => {
        isConnected = true;
      });
      for await (const event of stream) {
        if (signal.aborted) return undefined;
        const delta = assembly.take(event);
        if (delta !== undefined) onDelta?.(delta);
      }
      // An error between two reads ends the loop without a throw; `done` rejects with it.
      await stream.done();
      return undefined;
    } catch (cause) {
      return { cause };
    }
  }
}

/** Converts a model request to the form of the Messages API. */
function toWire(
  request: ModelRequest,
  thinking: ThinkingConfigParam | undefined,
): MessageStreamParams {
  const { model, system, messages, tools, maxTokens } = request;
  return {
    model,
    max_tokens: maxTokens,
    // Each step of a turn sends the whole conversation again; the API then reads the earlier part from its cache.
    cache_control: { type: 'ephemeral' },
    messages: messages.map(wireMessage),
    ...(system !== undefined && { system }),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    ...(thinking !== undefined && { thinking }),
  };
}

function wireTool({ name, description, inputSchema }: ModelTool): Tool {
  return { name, description, input_schema: inputSchema };
}

function wireMessage({ role, content }: ModelMessage): MessageParam {
  return { role, content: content.map(wireBlock) };
}

function wireBlock(block: AssistantContent | UserContent): ContentBlockParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.text, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'image': {
      const media_type = block.mediaType as Base64ImageSource['media_type'];
      return { type: 'image', source: { type: 'base64', media_type, data: block.data } };
    }
    case 'file':
      return { type: 'text', text: `Attached: ${describeAttachedFile(block.file)}` };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: block.toolUseId,
        content: block.content,
        ...(block.isError && { is_error: true }),
      };
  }
}
