/**
 * The demo model: a Messages API that plays scenarios, called by the real SDK in place of the network.
 *
 * It keeps no state. Each answer follows from the conversation in the request, so that a resumed or repeated request
 * continues where the turn stands. Only the ids are new each time, as in the real API: a session can clear its
 * conversation and must not meet the same ids again. The demo model refuses the conversations that the real API refuses.
 */
import { SUMMARY_ORDER } from '../../agent/request-summary.ts';
import { findRequestProblem } from '../../agent/validate-conversation.ts';
import type { ModelMessage } from '../../agent/message.ts';
import { freshId } from '../fresh-id.ts';
import { lastText, readTurn, play, type ScriptedReply } from './scenarios.ts';
import { type ReadRequest, readRequest } from './read-request.ts';

interface DemoOptions {
  /** Between two pieces of an answer; 0 for as fast as the body is read. */
  readonly paceMs: number;
  /** Of letters, digits, `_` and `-`. */
  readonly freshId: () => string;
}

type DemoFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The pace of a person who reads. */
const PACE_MS = 25;

export const demoFetch = createDemoFetch({ paceMs: PACE_MS, freshId });

export function createDemoFetch({ paceMs, freshId: newId }: DemoOptions): DemoFetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? request.signal;
    signal.throwIfAborted();
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/messages')
      return refuseRequest(404, 'not_found_error', 'The demo model has POST /v1/messages alone.');
    const text = await request.text();
    const read = readRequest(parseBody(text));
    const problem = read.ok ? findRequestProblem(read.request.messages) : read.problem;
    if (!read.ok || problem !== undefined)
      return refuseRequest(400, 'invalid_request_error', problem ?? 'The request is not valid.');
    const plan = planReply(read.request, text.length, newId);
    const message = buildMessage(plan);
    if (!read.request.isStream) return Response.json(message, { headers: demoHeadersOf(newId) });
    const pauseMs = paceMs * (plan.reply.slowness ?? 1);
    const body = pacedStream(streamTexts(message), { pauseMs, signal });
    const headers = {
      ...demoHeadersOf(newId),
      'Content-Type': 'text/event-stream; charset=utf-8',
    };
    return new Response(body, { headers });
  };
}

function planReply(request: ReadRequest, inputChars: number, newId: () => string): StreamedReply {
  const { messages, tools } = request;
  const isForSummary = lastText(messages.at(-1)) === SUMMARY_ORDER;
  const reply = isForSummary ? summarizeMessages(messages) : play(readTurn(messages, tools));
  return { reply, model: request.model, inputChars, freshId: newId };
}

/** Of what was written, the first words. */
function summarizeMessages(messages: readonly ModelMessage[]): ScriptedReply {
  const lines = messages.slice(0, -1).flatMap((message) => {
    const text = lastText(message);
    return text === undefined ? [] : [`- ${text.split('\n', 1)[0]?.slice(0, 80)}`];
  });
  return { text: `The person wrote, in this order:\n\n${lines.join('\n')}` };
}

function* streamTexts(message: ReturnType<typeof buildMessage>): Generator<string> {
  for (const event of replyEvents(message)) yield sseText(event);
}

/** Undefined when the text is not JSON; the schema then refuses it. */
function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function demoHeadersOf(newId: () => string): Record<string, string> {
  return { 'request-id': `req_${newId()}` };
}

function refuseRequest(status: number, type: string, message: string): Response {
  return Response.json({ type: 'error', error: { type, message } }, { status });
}

/** A body of text pieces, one at a time, at the pace of the scenario or of a slower reader. */
interface StreamPace {
  /** Between two pieces; 0 for no pause. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

function pacedStream(
  pieces: Iterable<string>,
  { pauseMs, signal }: StreamPace,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]();
  const encoder = new TextEncoder();
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // An abort ends the body at once, as it does over the network.
      const stop = () => {
        isOver = true;
        controller.error(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
    },
    async pull(controller) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      if (isOver) return;
      const { value, done } = iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel() {
      isOver = true;
    },
  });
}

interface StreamedReply {
  readonly reply: ScriptedReply;
  readonly model: string;
  readonly inputChars: number;
  readonly freshId: () => string;
}

interface ReplyEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Short enough to be seen arriving, long enough not to cost a frame for each letter. */
const FEW_WORDS = /\s*\S+(?:\s+\S+){0,2}\s*/g;
const JSON_CHARS = 24;
/** An estimate: the demo model has no tokenizer. */
const CHARS_PER_TOKEN = 4;

function buildMessage({ reply, model, inputChars, freshId }: StreamedReply) {
  const calls = reply.calls ?? [];
  const content = [
    { type: 'text' as const, text: reply.text },
    ...calls.map((call) => ({ type: 'tool_use' as const, id: `toolu_${freshId()}`, ...call })),
  ];
  return {
    id: `msg_${freshId()}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: Math.ceil(inputChars / CHARS_PER_TOKEN),
      output_tokens: Math.ceil(JSON.stringify(content).length / CHARS_PER_TOKEN),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

function* replyEvents(message: ReturnType<typeof buildMessage>): Generator<ReplyEvent> {
  const { content, stop_reason, stop_sequence, usage } = message;
  const begun = {
    ...message,
    content: [],
    stop_reason: null,
    usage: { ...usage, output_tokens: 1 },
  };
  yield { type: 'message_start', message: begun };
  yield { type: 'ping' };
  for (const [index, block] of content.entries()) {
    const start = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} };
    yield { type: 'content_block_start', index, content_block: start };
    for (const delta of deltasOf(block)) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  const { output_tokens } = usage;
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: { output_tokens } };
  yield { type: 'message_stop' };
}

type ContentBlock = ReturnType<typeof buildMessage>['content'][number];

function deltasOf(block: ContentBlock): readonly object[] {
  if (block.type === 'text') {
    const pieces = block.text.match(FEW_WORDS) ?? [block.text];
    return pieces.map((text) => ({ type: 'text_delta', text }));
  }
  const json = JSON.stringify(block.input);
  const pieces = Array.from({ length: Math.ceil(json.length / JSON_CHARS) }, (_, index) =>
    json.slice(index * JSON_CHARS, (index + 1) * JSON_CHARS),
  );
  return ['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}

function sseText(event: ReplyEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
