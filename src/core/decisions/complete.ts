/**
 * The agent reports that what it waits for has happened elsewhere, such as a sign-in behind a link. Only the kind says what
 * that means; a report is no consent, so it settles nothing that no person has begun.
 */
import { mayReportFor } from '../authority.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { settlerOf } from '../../protocol/caller.ts';
import { reject } from '../../protocol/errors.ts';
import { findKind } from '../kinds/kind.ts';
import { drainQueue, draftEvents, startDraft } from '../session-draft.ts';
import { rejectSettled, UNKNOWN_INTERACTION } from '../rejections.ts';
import { settleByAnswer } from '../settle.ts';
import type { SessionState } from '../state.ts';
import { updateEvent } from './answer.ts';

export function completeInteraction(state: SessionState, facts: Facts): DecisionResult {
  const { record } = facts;
  if (record === undefined) {
    return UNKNOWN_INTERACTION;
  }
  if (!mayReportFor(facts.caller, record.openedBy)) {
    return reject('forbidden', 'Only the credential that opened this request may complete it');
  }
  const effect = findKind(facts.kinds, record).completion(record);
  if (effect?.ok !== true) {
    return reject('wrong_kind', 'Only a link that was opened with awaitCompletion is completed');
  }
  const reply = { type: 'interaction', interactionId: record.interactionId } as const;
  if (record.status === 'settled') {
    // A second report, or one that comes after a person said so.
    return record.outcome === 'answered' ? accept(startDraft(state), reply) : rejectSettled(record);
  }
  const { now } = facts;
  const by = settlerOf(facts.caller);
  if (effect.type === 'advance') {
    const events = record.linkCompleted === true ? [] : [updateEvent(record, effect, by)];
    return accept(draftEvents(state, events, now), reply);
  }
  const events = settleByAnswer(state.info, facts.kinds, record, effect, { now, by });
  return accept(drainQueue(draftEvents(state, events, now), now), reply);
}
