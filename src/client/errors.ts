/**
 * Everything that can go wrong for a caller, as one type.
 *
 * The question a caller has is not which class an error is but whether it may try again: `retry` says
 * so, `never` without changing something, `now` with the same idempotency key, `later` after a while.
 */
import type { ErrorCode, JsonObject } from './words.ts';

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
  readonly retry: 'never' | 'now' | 'later';
  readonly status?: number | undefined;
  readonly details?: JsonObject | undefined;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

export class ClientError extends Error {
  override readonly name = 'ClientError';
  declare readonly code: ErrorCode | LocalErrorCode;
  declare readonly retry: 'never' | 'now' | 'later';
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
