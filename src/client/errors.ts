/**
 * Every failure of a call or a connection, as one type.
 *
 * `retry` answers the question of a caller: `never` without a change, `now` with the same idempotency key, `later` after a
 * while.
 */
import type { Retry } from '../protocol/errors.ts';
import type { ErrorCode, JsonObject } from '../protocol/types.ts';
import type { ServerRefusal } from './connection/state.ts';

/** Errors that come from this library and not from a server. */
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
  /** For a question to the operator of the server. */
  readonly requestId: string | undefined;

  constructor({ message, cause, ...fields }: ClientErrorInput) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, fields);
  }

  /** The server, or this library because no answer came from a server. */
  get origin(): 'server' | 'client' {
    return this.status === undefined ? 'client' : 'server';
  }
}

/** Close codes after which the same cursor and token cannot help, with the error of each. */
const FINAL: Readonly<Record<number, readonly [code: ErrorCode, status: number]>> = {
  1008: ['invalid_request', 400],
  1009: ['too_large', 413],
  4403: ['forbidden', 403],
  4404: ['not_found', 404],
  4409: ['cursor_ahead', 400],
};
const AHEAD = 'The cursor is past the end of the log of this session. Start again from 0.';

/** Undefined: a new connection may help. */
export function finalError(
  close: number,
  refusal: ServerRefusal | undefined,
): ClientError | undefined {
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

/** The pause that the server asks for, in milliseconds. */
export function requestedPauseMs(details: JsonObject | undefined): number {
  const seconds = details?.retryAfterSeconds;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : 0;
}

export function protocolMismatchError(protocol: string): ClientError {
  return neverError(
    'protocol_mismatch',
    `The server speaks ${protocol.slice(0, 40)}. Reload the page, or update holdpoint.`,
  );
}

export function notHoldpointError(finding: string): ClientError {
  return neverError(
    'not_holdpoint',
    `${finding} Is the url the address of a Holdpoint server, without /v1?`,
  );
}

export function abortedError(cause: unknown): ClientError {
  return neverError('aborted', 'Aborted; the server may have done it all the same', cause);
}

export function closedError(): ClientError {
  return neverError('closed', 'This transport is closed');
}

/** No server answered; the same request may be sent again. */
export function unreachableError(
  message: string,
  cause?: unknown,
  details?: JsonObject,
): ClientError {
  return new ClientError({ code: 'unreachable', message, retry: 'now', details, cause });
}

/** An error of this library that no repeat changes. */
export function neverError(
  code: ErrorCode | LocalErrorCode,
  message: string,
  cause?: unknown,
): ClientError {
  return new ClientError({ code, message, retry: 'never', cause });
}
