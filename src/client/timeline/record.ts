/** The record of an interaction, made from its events the same way as the server makes it (INT-1). */
import type { EventOf, Interaction } from '../words.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function openedRecord(event: EventOf<'interaction_request'>): Interaction {
  const { offers: _offers, allowEdit: _allowEdit, ...payload } = event.payload;
  const { turnId, responseId } = event;
  const record: Mutable<Interaction> = {
    ...payload,
    status: 'open',
    outcome: null,
    settledAt: null,
    settledBy: null,
    rev: 1,
  };
  if (turnId !== undefined) record.turnId = turnId;
  if (responseId !== undefined) record.responseId = responseId;
  return record;
}

export function updatedRecord(
  before: Interaction,
  { payload }: EventOf<'interaction_update'>,
): Interaction {
  const { change, by, ...said } = payload;
  const after = { ...before, ...said, rev: before.rev + 1 } as Mutable<Interaction>;
  if (change === 'reminder') delete after.remindAt;
  if (change === 'escalated') delete after.escalateAt;
  if (change === 'extended') after.extendedBy = by?.subject ?? '';
  if (change === 'overdue') after.overdue = true;
  return after;
}

export function settledRecord(
  before: Interaction,
  payload: EventOf<'interaction_response'>['payload'],
): Interaction {
  const { action: _action, message: _message, ...said } = payload;
  // Whether an agent listens is nobody's question any more.
  const { awaitingFeedback: _waits, current: _current, agentWaiting: _listens, ...asked } = before;
  const after: Mutable<Interaction> = {
    ...asked,
    ...said,
    status: 'settled',
    rev: before.rev + 1,
  };
  if (said.answers !== undefined && said.defaulted !== true) delete after.partialAnswers;
  return after;
}

/** Over without a word about it: its tool call finished, its turn ended; a response may still come. */
export function cancelledRecord(before: Interaction, at: number): Interaction {
  return { ...before, status: 'settled', outcome: 'cancelled', settledAt: at };
}
