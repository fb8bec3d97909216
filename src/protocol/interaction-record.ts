/**
 * The record of an interaction, made from the events about it: by the server, which stores it, and by clients, which
 * show it (INT-1). Plain functions without schemas, so that a page can load them.
 */
import type { EventOf, SessionEvent } from './schema/event.ts';
import type { Interaction, InteractionView } from './schema/interaction.ts';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type RecordEvent = EventOf<
  'interaction_request' | 'interaction_update' | 'interaction_response'
>;

export function isRecordEvent(event: SessionEvent): event is RecordEvent {
  const { type } = event;
  return (
    type === 'interaction_request' ||
    type === 'interaction_update' ||
    type === 'interaction_response'
  );
}

/** The record after an event about it; undefined if the event continues an unknown record. */
export function foldRecord(
  before: InteractionView | undefined,
  event: RecordEvent,
): Interaction | undefined {
  if (event.type === 'interaction_request') return openedRecord(event);
  if (before === undefined) return undefined;
  return event.type === 'interaction_update'
    ? updatedRecord(before, event)
    : settledRecord(before, event.payload);
}

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
  const { change, by, ...changes } = payload;
  const after = { ...before, ...changes, rev: before.rev + 1 } as Mutable<Interaction>;
  if (change === 'reminder') delete after.remindAt;
  if (change === 'escalated') {
    delete after.escalateAt;
    delete after.escalateTo;
  }
  if (change === 'extended') after.extendedBy = by?.subject ?? '';
  if (change === 'overdue') after.overdue = true;
  if (change === 'released' || change === 'handed_over') delete after.claim;
  return change === 'undone' ? withoutDecision(after, by) : after;
}

/** The record must not go on allowing what a person took back. */
function withoutDecision(record: Interaction, by: Interaction['settledBy'] = null): Interaction {
  const {
    answers: _answers,
    decision: _decision,
    values: _values,
    updatedInput: _updated,
    authorizedDigest: _digest,
    modeChange: _mode,
    reason: _reason,
    attachments: _files,
    ...asked
  } = record;
  return { ...asked, outcome: 'superseded', settledBy: by };
}

/** A settled record loses its waiting agent, its current question and who looks at it. */
export function settledRecord(
  before: InteractionView,
  payload: EventOf<'interaction_response'>['payload'],
): Interaction {
  const { action: _action, message: _message, ...settlement } = payload;
  const {
    awaitingFeedback: _waits,
    current: _current,
    agentWaiting: _listens,
    claim: _claim,
    ...asked
  } = before;
  const after: Mutable<Interaction> = {
    ...asked,
    ...settlement,
    status: 'settled',
    rev: before.rev + 1,
  };
  if (settlement.answers !== undefined && settlement.defaulted !== true) {
    delete after.partialAnswers;
  }
  return after;
}

/** Whether a person who sees the record sees only part of the input. */
export function hidesInput({ wholeInput }: Partial<Pick<Interaction, 'wholeInput'>>): boolean {
  return wholeInput !== undefined && wholeInput.hiddenChars > 0;
}

/** A record that ends without a response because its tool call or its turn ended; a response may still follow. */
export function cancelledRecord(before: Interaction, at: number): Interaction {
  return { ...before, status: 'settled', outcome: 'cancelled', settledAt: at };
}
