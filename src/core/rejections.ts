/**
 * Whether the log has room for more from agents and for more messages. What ends an interaction is
 * always let in: a full log must not keep a person from answering what is open.
 */
/**
 * Whether an open request took the place of another that nobody decided.
 *
 * A surface that shows the earlier one cannot tell, so an answer that does not say what was seen, by
 * interaction id or by digest, may be meant for what is gone.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { SessionState } from './state.ts';

export function rejectIfLogFull(state: SessionState, adding: number): Rejection | undefined {
  if (state.head + adding <= LIMITS.eventsPerSession) return undefined;
  return reject('limit_reached', 'This session has reached its number of events', {
    limit: 'eventsPerSession',
    max: LIMITS.eventsPerSession,
  });
}

export function replacesUndecided({ replaces, inputChanged }: Interaction): boolean {
  return replaces !== undefined || inputChanged === true;
}

/** With the digest of the present input: whoever has looked at it can send that along. */
export function rejectUnseen({ interactionId, inputDigest }: Interaction): Rejection {
  return reject('input_changed', 'What you saw is not what is being asked now. Look again.', {
    interactionId,
    inputDigest,
  });
}

/** Gone already: who ended it, how and when, so that a late click can show what happened. */
export function rejectSettled(record: Interaction, isRepeat = false): Rejection {
  return reject('already_settled', `This was already settled: ${record.outcome}`, {
    interactionId: record.interactionId,
    outcome: record.outcome,
    ...(isRepeat && { yours: true }),
    settledBy: record.settledBy,
    settledAt: record.settledAt,
    ...(record.replacedBy !== undefined && { replacedBy: record.replacedBy }),
  });
}
