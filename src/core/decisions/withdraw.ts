/** A person takes an approval back while others are still missing: it counts no longer, and the request stays open. */
import { provesPerson, settlerOf } from '../../protocol/caller.ts';
import { isSameName } from '../../protocol/same-name.ts';
import { reject } from '../../protocol/errors.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { rejectSettled, UNKNOWN_INTERACTION } from '../rejections.ts';
import { draftEvents } from '../session-draft.ts';
import type { SessionState } from '../state.ts';
import { votesEvent } from '../votes.ts';

export function withdrawVote(state: SessionState, facts: Facts): DecisionResult {
  const { record, caller, now } = facts;
  if (record === undefined) {
    return UNKNOWN_INTERACTION;
  }
  if (record.status === 'settled') return rejectSettled(record);
  const { votes = [] } = record;
  const left = votes.filter(({ by }) => !isSameName(by.subject, caller.subject));
  if (left.length === votes.length || !provesPerson(caller)) {
    return reject('no_vote', 'You have not approved this, so there is nothing to withdraw');
  }
  const event = votesEvent(record, 'vote_withdrawn', left, settlerOf(caller));
  const { interactionId } = record;
  return accept(draftEvents(state, [event], now), { type: 'interaction', interactionId });
}
