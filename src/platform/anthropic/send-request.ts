/**
 * Sends a request to the Messages API with the SDK, and fails with its errors.
 *
 * Address and headers are the same for every request of a model, so the SDK makes them once. Its `post` makes them anew each
 * time, beside a second signal: 113 µs of a turn in a profile, with what it does until the answer begins.
 */
import type { BaseAnthropic } from '@anthropic-ai/sdk/client';
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
} from '@anthropic-ai/sdk/core/error';
import type { AnswerWatch } from './answer-watch.ts';

export interface Endpoint {
  readonly url: string;
  readonly headers: Headers;
}

/** Rejects if the SDK can make no address or no headers of the client's settings. */
export async function findEndpoint(client: BaseAnthropic): Promise<Endpoint> {
  const { url, req } = await client.buildRequest({
    method: 'post',
    path: '/v1/messages',
    headers: { 'content-type': 'application/json' },
  });
  return { url, headers: req.headers };
}

/** Resolves when the answer begins. */
export async function sendRequest(
  client: BaseAnthropic,
  { url, headers }: Endpoint,
  body: string,
  watch: AnswerWatch,
): Promise<Response> {
  const request = { method: 'POST', headers, body };
  const { controller } = watch;
  let response: Response;
  try {
    response = await client.fetchWithTimeout(url, request, client.timeout, controller);
  } catch (cause) {
    if (controller.signal.aborted) throw new APIConnectionTimeoutError();
    throw new APIConnectionError({ cause: toError(cause) });
  }
  watch.noteBytes();
  if (!response.ok) throw await readRefusal(response);
  return response;
}

async function readRefusal(response: Response): Promise<APIError> {
  const { status, headers } = response;
  const text = await response.text().catch((cause: unknown) => toError(cause).message);
  const body = readObject(text);
  return APIError.generate(status, body, body === undefined ? text : undefined, headers);
}

/** Undefined for a text that is no object of JSON, such as the page of a gateway. */
function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
