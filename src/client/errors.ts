/**
 * Everything that can go wrong for a caller, as one type: the same error whether it came as a response or as a close.
 *
 * The question a caller has is not which class an error is but whether it may try again: `retry` says
 * so, `never` without changing something, `now` with the same idempotency key, `later` after a while.
 */
import type { Retry } from '../protocol/errors.ts';
import type { ErrorCode, JsonObject } from '../protocol/types.ts';
import type { Refusal } from './connection/state.ts';

/** What no server said: it was not reached, answered something else, or the caller gave up. */
export type LocalErrorCode =
  | 'unreachable'
  | 'not_holdpoint'
  | 'protocol_mismatch'
  | 'aborted'
  | 'closed';

export interface ClientErrorInput {
  readonly code: ErrorCode | LocalErrorCode;
  readonly message: string;
  readonly retry: Retry;
  readonly status?: number | undefined;
  readonly details?: JsonObject | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

export class ClientError extends Error {
  override readonly name = 'ClientError';
  declare readonly code: ErrorCode | LocalErrorCode;
  declare readonly retry: Retry;
  readonly status: number | undefined;
  readonly details: JsonObject | undefined;
  /** What to quote when asking whoever runs the server. */
  readonly requestId: string | undefined;

  constructor({ message, cause, ...said }: ClientErrorInput) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, said);
  }

  /** Who says so: the server, or this library because it heard nothing from one. */
  get origin(): 'server' | 'client' {
    return this.status === undefined ? 'client' : 'server';
  }
}

/** Closes after which coming back with the same cursor and token cannot help, and what they stand for. */
const FINAL: Readonly<Record<number, readonly [code: ErrorCode, status: number]>> = {
  1008: ['invalid_request', 400],
  1009: ['too_large', 413],
  4403: ['forbidden', 403],
  4404: ['not_found', 404],
  4409: ['cursor_ahead', 400],
};
const AHEAD = 'More was seen of this session than there is. Begin anew.';

/** Undefined: come back. */
export function finalError(close: number, refusal: Refusal | undefined): ClientError | undefined {
  const final = FINAL[close];
  if (final === undefined) return undefined;
  const [code, status] = final;
  const { details, message = `Closed (${close})` } = refusal ?? {};
  return new ClientError({
    code: (refusal?.code as ErrorCode | undefined) ?? code,
    status,
    message: close === 4409 ? AHEAD : message,
    retry: 'never',
    details,
  });
}

/** How long the server asked to be left alone, in milliseconds. */
export function askedPause(details: JsonObject | undefined): number {
  const seconds = details?.retryAfterSeconds;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : 0;
}

export function protocolMismatch(protocol: string): ClientError {
  return neverError(
    'protocol_mismatch',
    `The server speaks ${protocol.slice(0, 40)}. Reload, or update holdpoint.`,
  );
}

export function notHoldpoint(what: string): ClientError {
  return neverError(
    'not_holdpoint',
    `${what} Is the url the address of a Holdpoint server, without /v1?`,
  );
}

export function abortedError(cause: unknown): ClientError {
  return neverError('aborted', 'Given up; it may have happened all the same', cause);
}

export function closedError(): ClientError {
  return neverError('closed', 'This transport is closed');
}

/** Nobody answered who could: the same may be asked again. */
export function unreachable(message: string, cause?: unknown, details?: JsonObject): ClientError {
  return new ClientError({ code: 'unreachable', message, retry: 'now', details, cause });
}

/** What this library says by itself, and what no repeat would change. */
export function neverError(
  code: ErrorCode | LocalErrorCode,
  message: string,
  cause?: unknown,
): ClientError {
  return new ClientError({ code, message, retry: 'never', cause });
}
