/** Rejections that several decisions share, and the conditions for them. */
import { type Rejection, reject } from '../protocol/errors.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { SessionState } from './state.ts';

export const UNKNOWN_INTERACTION = reject(
  'not_found',
  'There is no such interaction in this session',
);

export function rejectDeletedId(id: string): Rejection {
  return reject('session_deleted', `Session "${id}" was deleted; its id is not used again`);
}

/** Applies to new messages and to events of agents. Endings are always accepted: a full log must not block an answer. */
export function rejectIfLogFull(state: SessionState, adding: number): Rejection | undefined {
  if (state.head + adding <= LIMITS.eventsPerSession) return undefined;
  return reject(
    'limit_reached',
    'This session has reached its limit of events; continue in a new session',
    {
      limit: 'eventsPerSession',
      max: LIMITS.eventsPerSession,
    },
  );
}

/**
 * Whether an open request replaced another request that no person decided, or whose decision was taken back. A screen may
 * still show the earlier request, so an answer that names neither interaction id nor digest may be meant for the earlier one.
 */
export function replacesUndecided({ replaces, inputChanged, undoes }: Interaction): boolean {
  return replaces !== undefined || inputChanged === true || undoes !== undefined;
}

/** Carries the digest of the present input; a client that has shown this input sends the digest with the answer. */
export function rejectUnseen({ interactionId, inputDigest }: Interaction): Rejection {
  return reject(
    'input_changed',
    'The request has changed since you saw it. Read the present request, then answer.',
    {
      interactionId,
      inputDigest,
    },
  );
}

/** Carries by whom, how and when the interaction was settled, so that a late click can show it. */
export function rejectSettled(record: Interaction, isRepeat = false): Rejection {
  return reject('already_settled', settledWords(record), {
    interactionId: record.interactionId,
    outcome: record.outcome,
    ...(record.elsewhere !== undefined && { elsewhere: record.elsewhere }),
    ...(isRepeat && { yours: true }),
    settledBy: record.settledBy,
    settledAt: record.settledAt,
    ...(record.replacedBy !== undefined && { replacedBy: record.replacedBy }),
  });
}

function settledWords({ outcome, elsewhere }: Interaction): string {
  if (elsewhere === undefined) return `This interaction is already settled: ${outcome}`;
  const end = elsewhere === 'failed' ? 'has run and failed' : 'has run';
  return `This was answered at the terminal of the agent, and the call ${end}`;
}
