/**
 * The rehearsal model: a Messages API that plays scenes, called by the real SDK in place of the network.
 *
 * It keeps nothing. Each answer follows from the conversation that comes with the request, so that a turn which is
 * resumed, or asked twice, goes on in its place. Only the ids are new each time, as they are from the real API: a
 * session can forget a conversation and must not meet its ids again. A conversation that the real API would refuse is
 * refused here as well.
 */
import { requestProblem } from '../../agent/transcript-problem.ts';
import { freshId } from '../fresh-id.ts';
import { type Spoken, eventsOf, messageOf, sseText } from './answer-events.ts';
import { hear } from './hear.ts';
import { pacedStream } from './paced-stream.ts';
import { type ReadRequest, readRequest } from './read-request.ts';
import { play } from './scenes/index.ts';

export interface RehearsalOptions {
  /** Between two pieces of an answer. 0: as fast as it is read. */
  readonly paceMs: number;
  /** Of letters, digits, `_` and `-`. */
  readonly freshId: () => string;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A reader's pace. */
const PACE_MS = 25;

export const rehearsalFetch = createRehearsal({ paceMs: PACE_MS, freshId });

export function createRehearsal({ paceMs, freshId: newId }: RehearsalOptions): Fetch {
  const pause = async () => {
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
  };
  return async (input, init) => {
    const request = new Request(input, init);
    const signal = init?.signal ?? request.signal;
    signal.throwIfAborted();
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/v1/messages')
      return refusal(404, 'not_found_error', 'The rehearsal has POST /v1/messages alone.');
    const text = await request.text();
    const read = readRequest(jsonOf(text));
    const problem = read.ok ? requestProblem(read.request.messages) : read.problem;
    if (!read.ok || problem !== undefined)
      return refusal(400, 'invalid_request_error', problem ?? 'The request is not valid.');
    const message = messageOf(spoken(read.request, text.length, newId));
    if (!read.request.isStream) return Response.json(message, { headers: headersOf(newId) });
    const body = pacedStream(textsOf(message), { pause, signal });
    const headers = { ...headersOf(newId), 'Content-Type': 'text/event-stream; charset=utf-8' };
    return new Response(body, { headers });
  };
}

function spoken(request: ReadRequest, inputChars: number, newId: () => string): Spoken {
  const said = play(hear(request.messages, request.tools));
  return { said, model: request.model, inputChars, freshId: newId };
}

function* textsOf(message: ReturnType<typeof messageOf>): Generator<string> {
  for (const event of eventsOf(message)) yield sseText(event);
}

/** Undefined is no request either, and is refused as one. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headersOf(newId: () => string): Record<string, string> {
  return { 'request-id': `req_${newId()}` };
}

function refusal(status: number, type: string, message: string): Response {
  return Response.json({ type: 'error', error: { type, message } }, { status });
}
