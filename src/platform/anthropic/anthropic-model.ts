/**
 * The Messages API of Anthropic behind the `Model` port, over its SDK.
 *
 * The SDK sends, reads the stream and knows the errors. It does not try again, which is the run's to decide, and it
 * does not judge whether an answer is whole; see `answer-assembly.ts`. Needs nothing of Node.
 */
import Anthropic from '@anthropic-ai/sdk';
import type { Model, ModelCall, ModelOutcome, ModelRequest } from '../../agent/model.ts';
import { AnswerAssembly } from './answer-assembly.ts';
import { failureOf } from './failure.ts';
import { type Fetch, withIdleLimit } from './idle-limit.ts';
import { toWire } from './to-wire.ts';

export interface AnthropicModelOptions {
  readonly apiKey: string;
  readonly baseURL?: string;
  readonly fetch?: Fetch;
  /** Left out, the API decides. Not every model takes every setting, and a wrong one is refused with 400. */
  readonly thinking?: Anthropic.ThinkingConfigParam;
  /** Until the answer begins. */
  readonly beginMs?: number;
  /** Between two pieces of it. */
  readonly idleMs?: number;
}

/** Said outright: the SDK would otherwise take it from the environment. */
const API_URL = 'https://api.anthropic.com';
const BEGIN_MS = 120_000;
/** The API sends a ping every few seconds while the model thinks. */
const IDLE_MS = 60_000;

export function anthropicModel(options: AnthropicModelOptions): Model {
  // A Worker refuses its own `fetch` when it is called as a method of something else.
  const fetch: Fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const client = new Anthropic({
    apiKey: options.apiKey,
    authToken: null,
    baseURL: options.baseURL ?? API_URL,
    fetch: withIdleLimit(fetch, options.idleMs ?? IDLE_MS),
    maxRetries: 0,
    timeout: options.beginMs ?? BEGIN_MS,
    // It would print what the model said when that is no JSON.
    logLevel: 'off',
    openTelemetry: false,
  });
  return {
    call: (request, call) => callModel(client, options, request, call),
  };
}

async function callModel(
  client: Anthropic,
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
  // What breaks after the end of the answer takes nothing from it, and it has been paid for.
  if (fault !== undefined && !assembly.isWhole) return failed(fault.cause);
  try {
    return assembly.answer();
  } catch (cause) {
    return failed(cause);
  }

  async function read(): Promise<{ readonly cause: unknown } | undefined> {
    try {
      const stream = client.messages.stream(toWire(request, options.thinking), { signal });
      stream.on('connect', () => {
        isConnected = true;
      });
      for await (const event of stream) {
        if (signal.aborted) return undefined;
        const delta = assembly.take(event);
        if (delta !== undefined) onDelta?.(delta);
      }
      // An error that comes while nobody reads ends the loop as if all were well, and is kept here.
      await stream.done();
      return undefined;
    } catch (cause) {
      return { cause };
    }
  }
}
