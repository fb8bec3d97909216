/**
 * The Messages API of Anthropic behind the `Model` port, over its SDK.
 *
 * The SDK sends the request and says what an error means. It neither retries, which the run decides, nor reads or writes: its
 * resources write a whole conversation anew for each request and keep a second copy of each answer (`request-text.ts`,
 * `read-answer.ts`).
 * `answer-assembly.ts` decides whether an answer is complete. Nothing here needs Node.
 *
 * The client of the main entry would bring every resource of the API into the Worker, three times the code.
 */
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk/core/error';
import type { ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages/messages';
import type { Model, ModelCall, ModelOutcome, ModelRequest } from '../../agent/model.ts';
import { AnswerAssembly } from './answer-assembly.ts';
import { AnswerWatch } from './answer-watch.ts';
import { failureOf } from './failure.ts';
import { readAnswer } from './read-answer.ts';
import { writeRequest } from './request-text.ts';
import { type Endpoint, findEndpoint, sendRequest } from './send-request.ts';
import { MalformedAnswerError } from './wire-events.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

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
    fetch,
    maxRetries: 0,
    timeout: options.beginMs ?? BEGIN_MS,
    // The SDK would log the text of the model when it is not JSON.
    logLevel: 'off',
    openTelemetry: false,
  });
  let known: Endpoint | undefined;
  const endpoint = async () => (known ??= await findEndpoint(client));
  return {
    call: (request, call) => callModel({ client, endpoint, options }, request, call),
  };
}

interface Adapter {
  readonly client: BaseAnthropic;
  /** Rejects if the settings fit no request. */
  readonly endpoint: () => Promise<Endpoint>;
  readonly options: AnthropicModelOptions;
}

async function callModel(
  { client, endpoint, options }: Adapter,
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
    const watch = new AnswerWatch(options.idleMs ?? IDLE_MS, signal);
    try {
      const text = writeRequest(request, options.thinking);
      const { body, headers } = await sendRequest(client, await endpoint(), text, watch);
      isConnected = true;
      if (body === null) return undefined;
      await readAnswer(body, watch, ({ event, data }) => {
        if (signal.aborted || event === 'ping') return;
        if (event === 'error') throw readError(data, headers);
        const delta = assembly.take(readEvent(data));
        if (delta !== undefined) onDelta?.(delta);
      });
      return undefined;
    } catch (cause) {
      return { cause };
    } finally {
      watch.end();
    }
  }
}

function readEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new MalformedAnswerError('an event is no JSON', { cause });
  }
}

function readError(data: string, headers: Headers): APIError {
  const body = readEvent(data) as { error?: { type?: unknown } } | null;
  const type = body?.error?.type;
  // Only compared with known types: another text is as good as none.
  const known = typeof type === 'string' ? (type as APIError['type']) : null;
  return new APIError(undefined, body ?? {}, undefined, headers, known);
}
