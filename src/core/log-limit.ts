/**
 * Whether the log has room for more from agents and for more messages. What ends an interaction is
 * always let in: a full log must not keep a person from answering what is open.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { SessionState } from './state.ts';

export function logIsFull(state: SessionState, adding: number): Rejection | undefined {
  if (state.head + adding <= LIMITS.eventsPerSession) return undefined;
  return reject('limit_reached', 'This session has reached its number of events', {
    limit: 'eventsPerSession',
    max: LIMITS.eventsPerSession,
  });
}
