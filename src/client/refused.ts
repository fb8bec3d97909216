/** What a refusal means to a client: the same error whether it came as a response or as a close. */
import { ClientError, type LocalErrorCode } from './errors.ts';
import type { Refusal } from './connection/state.ts';
import type { ErrorCode, JsonObject } from './words.ts';

/** Closes after which coming back with the same cursor and token cannot help, and what they stand for. */
const FINAL: Readonly<Record<number, readonly [code: ErrorCode, status: number]>> = {
  1008: ['invalid_request', 400],
  1009: ['too_large', 413],
  4403: ['forbidden', 403],
  4404: ['not_found', 404],
  4409: ['cursor_ahead', 400],
};
const AHEAD = 'More was seen of this session than there is. Begin anew.';

/** Whether the same request may succeed later; the wire does not say, the status does. */
export function retryOf(code: string, status: number): 'never' | 'now' | 'later' {
  if (status === 429 || code.endsWith('not_configured')) return 'later';
  return status >= 500 ? 'now' : 'never';
}

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
