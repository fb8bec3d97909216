/**
 * One request, repeated where that is safe.
 *
 * A request that may have been sent is repeated only if doing it twice is the same as doing it once
 * (TRN-5). A POST is, by its idempotency key: the second one gets the result of the first. GET changes
 * nothing; PATCH here sets what it names; what a DELETE names is gone after the first one, so "not
 * found" after a try whose answer was lost means done.
 *
 * What is repeated: nobody answered, or the server said `now`. A full rate limit is waited for if it
 * asks for a few seconds; nothing of it was done. Everything else is for the caller to decide.
 */
import {
  abortedError,
  askedPause,
  ClientError,
  closedError,
  neverError,
  unreachable,
  notHoldpoint,
} from '../errors.ts';
import { backoff } from '../backoff.ts';
import type { TokenSource } from '../token-source.ts';
import { linked, sleep } from './signals.ts';
import type { Refusal } from '../connection/state.ts';
import { isObject, isRefusal } from '../connection/frames.ts';
import { retryOf } from '../../protocol/errors.ts';
import type { ErrorCode, JsonObject } from '../../protocol/types.ts';

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the address of the server, query included. */
  readonly path: string;
  /** JSON. */
  readonly body?: string | undefined;
  readonly key?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** On top of the usual, for a request that is meant to wait. */
  readonly waitMs?: number;
}

export interface RequestPorts {
  readonly base: string;
  readonly fetch: typeof globalThis.fetch;
  readonly tokens: TokenSource;
  readonly chance: () => number;
  /** Aborted when the transport is closed. */
  readonly closing: AbortSignal;
}

const TRIES = 4;
const TIMEOUT_MS = 30_000;
/** A server that asks for more than this has a reason that a person should hear. */
const PATIENCE_MS = 5_000;
const PACE = { baseMs: 400, capMs: 4_000 };

const NOTHING: Reply = { body: {}, isOld: false };

export async function request(ports: RequestPorts, ask: Ask): Promise<Reply> {
  const { tokens, closing, chance } = ports;
  const giveUp = linked([ask.signal, closing]);
  try {
    let token = await first(tokens.get(), giveUp.signal);
    let isRenewed = false;
    let isLost = false;
    for (let tries = 1; ; tries += 1) {
      try {
        if (token === '') throw neverError('unauthenticated', 'Not signed in');
        const reply = await send(ports, ask, token, giveUp.signal);
        return { ...reply, isOld: reply.isOld && !isLost };
      } catch (cause) {
        if (!(cause instanceof ClientError)) throw cause;
        if (isLost && ask.method === 'DELETE' && cause.code === 'not_found') return NOTHING;
        if (cause.code === 'unauthenticated' && !isRenewed) {
          isRenewed = true;
          const next = await first(tokens.get(token), giveUp.signal);
          if (next === token) throw cause;
          token = next;
          continue;
        }
        const pause = pauseBefore(tries, cause, ask, chance());
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

/** Undefined: not again. */
function pauseBefore(
  tries: number,
  error: ClientError,
  { method, key }: Ask,
  chance: number,
): number | undefined {
  const isSafe = method !== 'POST' || key !== undefined;
  const isRateLimit = error.code === 'rate_limited';
  const mayRepeat = (error.retry === 'now' && isSafe) || isRateLimit;
  const asked = askedPause(error.details);
  if (tries >= TRIES || !mayRepeat || asked > PATIENCE_MS) return undefined;
  return Math.max(asked, backoff(tries - 1, chance, PACE));
}

async function send(
  { base, fetch }: RequestPorts,
  { method, path, body, key, waitMs = 0 }: Ask,
  token: string,
  giveUp: AbortSignal,
): Promise<Reply> {
  const { signal, release } = linked([giveUp], TIMEOUT_MS + waitMs);
  try {
    signal.throwIfAborted();
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body !== undefined && { body }),
      signal,
    });
    return await readReply(response);
  } catch (cause) {
    if (cause instanceof ClientError || giveUp.aborted) throw cause;
    // With its key the caller may repeat even this one, later.
    const details = key === undefined ? undefined : { idempotencyKey: key };
    throw unreachable(`${base} was not reached`, cause, details);
  } finally {
    release();
  }
}

/** The promise, or the reason of the signal if that comes first. */
function first<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** What came back, read: a body of ours, or the error it means. */
export interface Reply {
  readonly body: JsonObject;
  /** The server had done this long before, for the same key. */
  readonly isOld: boolean;
}

async function readReply(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const text = await response.text();
  const body = status === 204 ? {} : parsed(text);
  if (response.ok && isObject(body)) {
    return { body, isOld: headers.get('Idempotency-Replayed') === 'true' };
  }
  if (isObject(body) && isRefusal(body.error)) throw refusalError(response, body.error);
  // A gateway with nobody behind it at the moment speaks HTML, and means "later".
  if (status >= 500 || status === 429) throw unreachable(`The server answered ${status}`);
  throw notHoldpoint(`The answer (${status}) is not one of Holdpoint.`);
}

function refusalError(
  response: Response,
  error: Refusal & { readonly requestId?: unknown },
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
    // A browser of another origin, or a proxy, may have only one of the two.
    details: seconds > 0 ? { retryAfterSeconds: seconds, ...details } : details,
    requestId: typeof requestId === 'string' ? requestId : undefined,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
