/** With which code a socket would have been closed, for a stream that has none: only streams load this. */
import type { Refusal } from './connection/state.ts';
import { retryOf } from './refused.ts';

const CLOSES: Readonly<Record<string, number>> = {
  unauthenticated: 4401,
  forbidden: 4403,
  not_found: 4404,
  session_deleted: 4404,
  cursor_ahead: 4409,
  too_large: 1009,
};

/** With which close a refusal that came as a response would have ended a socket. */
export function closeOf(code: string, status: number): number {
  return retryOf(code, status) === 'never' ? (CLOSES[code] ?? 1008) : 1013;
}

/** A stream just ends after its refusal; only these mean that it ends for good. */
export function closeAfter(refusal: Refusal | undefined): number {
  return (refusal && CLOSES[refusal.code]) ?? 1006;
}
