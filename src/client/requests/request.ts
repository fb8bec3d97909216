/**
 * One request, repeated where that is safe, and its reply.
 *
 * A request that may have reached the server is repeated only if twice is the same as once (TRN-5). A POST is, by its
 * idempotency key: the second one returns the result of the first. GET changes nothing; PUT and PATCH set the fields they name.
 * After a DELETE whose reply was lost, "not found" means done.
 *
 * Repeated are requests without a reply, and errors with `retry: 'now'`. After `rate_limited` the request waits if the
 * server asks for a few seconds. The caller decides about every other error.
 */
import { credentialHeaders } from '../../protocol/credential-headers.ts';
import { isObject, type ErrorCode, type JsonObject } from '../../protocol/types.ts';
import {
  abortedError,
  requestedPauseMs,
  ClientError,
  closedError,
  neverError,
  unreachableError,
  notHoldpointError,
} from '../errors.ts';
import { backoff } from '../backoff.ts';
import type { TokenSource } from '../token-source.ts';
import { linkSignals, orAbort, sleep } from './signals.ts';
import type { ServerRefusal } from '../connection/state.ts';
import { isRefusal, tryParseJson } from '../connection/frames.ts';
import { retryOf } from '../../protocol/errors.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the address of the server, with the query. */
  readonly path: string;
  /** JSON, or with a `mediaType` anything. */
  readonly body?: string | Blob | Uint8Array<ArrayBuffer> | undefined;
  readonly mediaType?: string;
  /** Default: the reply is JSON. */
  readonly read?: (response: Response) => Promise<HttpReply>;
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly wrapFetch?: ((usual: typeof globalThis.fetch) => typeof globalThis.fetch) | undefined;
  /** Added to the timeout, for a request that waits at the server. */
  readonly waitMs?: number;
}

export interface RequestPorts {
  readonly base: string;
  readonly fetch: typeof globalThis.fetch;
  readonly tokens: TokenSource;
  readonly chance: () => number;
  /** Aborted when the transport closes. */
  readonly closing: AbortSignal;
}

const TRIES = 4;
const TIMEOUT_MS = 30_000;
/** A longer pause becomes an error that the caller sees. */
const MAX_ASKED_PAUSE_MS = 5_000;
const REQUEST_BACKOFF = { baseMs: 400, capMs: 4_000 };

const EMPTY_REPLY: HttpReply = { body: {}, text: '', isOld: false };

export async function request(ports: RequestPorts, ask: HttpRequest): Promise<HttpReply> {
  const { tokens, closing, chance } = ports;
  const giveUp = linkSignals([ask.signal, closing]);
  try {
    let token = await orAbort(tokens.get(), giveUp.signal);
    let isRenewed = false;
    let isLost = false;
    for (let tries = 1; ; tries += 1) {
      try {
        if (token === '') throw neverError('unauthenticated', 'Not signed in');
        const reply = await sendOnce(ports, ask, token, giveUp.signal);
        return { ...reply, isOld: reply.isOld && !isLost };
      } catch (cause) {
        if (!(cause instanceof ClientError)) throw cause;
        if (isLost && ask.method === 'DELETE' && cause.code === 'not_found') return EMPTY_REPLY;
        if (cause.code === 'unauthenticated' && !isRenewed) {
          isRenewed = true;
          const next = await orAbort(tokens.get(token), giveUp.signal);
          if (next === token) throw cause;
          token = next;
          continue;
        }
        const pause = pauseBeforeRetry(tries, cause, ask, chance());
        if (pause === undefined) throw cause;
        isLost ||= cause.retry === 'now';
        await sleep(pause, giveUp.signal);
      }
    }
  } catch (cause) {
    if (closing.aborted) throw closedError();
    if (ask.signal?.aborted === true) throw abortedError(cause);
    throw cause;
  } finally {
    giveUp.release();
  }
}

/** Undefined: no repeat. */
function pauseBeforeRetry(
  tries: number,
  error: ClientError,
  { method, key }: HttpRequest,
  chance: number,
): number | undefined {
  const isSafe = method !== 'POST' || key !== undefined;
  const isRateLimit = error.code === 'rate_limited';
  const mayRepeat = (error.retry === 'now' && isSafe) || isRateLimit;
  const asked = requestedPauseMs(error.details);
  if (tries >= TRIES || !mayRepeat || asked > MAX_ASKED_PAUSE_MS) return undefined;
  return Math.max(asked, backoff(tries - 1, chance, REQUEST_BACKOFF));
}

async function sendOnce(
  { base, fetch }: RequestPorts,
  { method, path, body, mediaType, key, waitMs = 0, read = readReply, wrapFetch }: HttpRequest,
  token: string,
  giveUp: AbortSignal,
): Promise<HttpReply> {
  const { signal, release } = linkSignals([giveUp], TIMEOUT_MS + waitMs);
  try {
    signal.throwIfAborted();
    const response = await (wrapFetch?.(fetch) ?? fetch)(`${base}${path}`, {
      method,
      headers: {
        ...credentialHeaders(token),
        ...(body !== undefined && { 'Content-Type': mediaType ?? 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body }),
      signal,
    });
    return await read(response);
  } catch (cause) {
    if (cause instanceof ClientError || giveUp.aborted) throw cause;
    // With this key the caller may repeat the request later.
    const details = key === undefined ? undefined : { idempotencyKey: key };
    throw unreachableError(`${base} was not reached`, cause, details);
  } finally {
    release();
  }
}

export interface HttpReply {
  readonly body: JsonObject;
  /** The body as it was sent. */
  readonly text: string;
  /** The server did this for an earlier request with the same key. */
  readonly isOld: boolean;
}

export async function readReply(response: Response): Promise<HttpReply> {
  const { status, headers } = response;
  const text = await response.text();
  const body = status === 204 ? {} : tryParseJson(text);
  if (response.ok && isObject(body)) {
    return { body, text, isOld: headers.get('Idempotency-Replayed') === 'true' };
  }
  if (isObject(body) && isRefusal(body.error)) throw refusalError(response, body.error);
  // A gateway without a server behind it answers in HTML; a repeat may help.
  if (status >= 500 || status === 429) throw unreachableError(`The server answered ${status}`);
  throw notHoldpointError(`The reply (${status}) does not come from Holdpoint.`);
}

function refusalError(
  response: Response,
  error: ServerRefusal & { readonly requestId?: unknown },
): ClientError {
  const { status, headers } = response;
  const code = error.code as ErrorCode;
  const { message, details, requestId } = error;
  const seconds = Number(headers.get('Retry-After') ?? '');
  return new ClientError({
    code,
    status,
    message,
    retry: retryOf(code, status),
    // A proxy, or the CORS rules of a browser, may remove either of the two.
    details: seconds > 0 ? { retryAfterSeconds: seconds, ...details } : details,
    requestId: typeof requestId === 'string' ? requestId : undefined,
  });
}
