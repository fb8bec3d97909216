/**
 * Every ending without an answer: cancel, interrupt, `/clear`, delete, a finished tool, an ended turn.
 * Open interactions are settled before any other event, so that no caller waits for an interaction that is gone.
 */
import { settlerOf } from '../../protocol/caller.ts';
import type { CommandOf } from '../../protocol/schema/command.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';
import { rejectUninvolved } from '../audience.ts';
import { rejectForeignEnd } from '../authority.ts';
import { accept, type DecisionResult, type Facts } from '../decision.ts';
import { rejectSettled, UNKNOWN_INTERACTION } from '../rejections.ts';
import { drainQueue, draftEvents } from '../session-draft.ts';
import { rejectReassigned } from '../reassign.ts';
import { isSettledBy } from '../repeated-answer.ts';
import { settleByCancel } from '../settle.ts';
import { listOpenInteractions, type SessionState } from '../state.ts';
import { listRunningTurns } from '../turns.ts';

export function cancelEvents(
  interactions: readonly Interaction[],
  facts: Facts,
  reason: string | undefined,
  elsewhere?: Interaction['elsewhere'],
): DraftEvent[] {
  const by = settlerOf(facts.caller);
  return interactions.flatMap((interaction) =>
    settleByCancel(facts.kinds, interaction, { now: facts.now, by, reason, elsewhere }),
  );
}

export function cancelInteraction(
  state: SessionState,
  command: CommandOf<'interaction.cancel'>,
  facts: Facts,
): DecisionResult {
  const { record } = facts;
  if (record === undefined) {
    return UNKNOWN_INTERACTION;
  }
  const { toolCallId } = command;
  const lost = toolCallId === undefined ? undefined : rejectReassigned(toolCallId, record);
  if (lost !== undefined) return lost;
  if (record.status === 'settled') {
    const isRepeat = record.outcome === 'cancelled' && isSettledBy(record, facts.caller);
    return rejectSettled(record, isRepeat);
  }
  const outsider = rejectUninvolved(facts, record);
  if (outsider !== undefined) return outsider;
  const events = cancelEvents([record], facts, command.reason);
  return accept(drainQueue(draftEvents(state, events, facts.now), facts.now), {
    type: 'interaction',
    interactionId: record.interactionId,
  });
}

/** Cancels every interaction that this caller may end; an agent may end only its own. */
export function cancelInteractions(
  state: SessionState,
  facts: Facts,
  reason?: string,
): DecisionResult {
  const open = listOpenInteractions(state).filter(
    (one) =>
      rejectForeignEnd(facts.caller, one) === undefined &&
      rejectUninvolved(facts, one) === undefined,
  );
  const events = cancelEvents(open, facts, reason);
  return accept(drainQueue(draftEvents(state, events, facts.now), facts.now), {
    type: 'cancelled',
    count: open.length,
  });
}

/** Ends turns with an id first, because an end without an id ends every turn. */
function endRunningTurns(state: SessionState, reason: 'interrupted' | 'cleared'): DraftEvent[] {
  const turns = listRunningTurns(state.info);
  const names = turns.map(({ turnId }) => turnId).filter((turnId) => turnId !== undefined);
  const named = names.map(
    (turnId): DraftEvent => ({ type: 'turn_ended', turnId, payload: { reason } }),
  );
  const isAllNamed = names.length === turns.length;
  return isAllNamed ? named : [...named, { type: 'turn_ended', payload: { reason } }];
}

export function interruptTurn(state: SessionState, facts: Facts): DecisionResult {
  const open = listOpenInteractions(state);
  const events = [
    ...cancelEvents(open, facts, 'Interrupted'),
    ...endRunningTurns(state, 'interrupted'),
  ];
  return accept(drainQueue(draftEvents(state, events, facts.now), facts.now), {
    type: 'cancelled',
    count: open.length,
  });
}

/** Drops queued messages on purpose: they belong to the conversation that ends. */
export function clearSession(state: SessionState, facts: Facts): DecisionResult {
  const open = listOpenInteractions(state);
  const events: DraftEvent[] = [
    ...cancelEvents(open, facts, 'Session cleared'),
    ...endRunningTurns(state, 'cleared'),
    { type: 'context_cleared', payload: { by: settlerOf(facts.caller) } },
  ];
  const reply = { type: 'cancelled', count: open.length } as const;
  return accept(draftEvents(state, events, facts.now), reply);
}

export function deleteSession(state: SessionState, facts: Facts): DecisionResult {
  const events: DraftEvent[] = [
    ...cancelEvents(listOpenInteractions(state), facts, 'Session deleted'),
    ...endRunningTurns(state, 'cleared'),
    { type: 'session_status', payload: { status: 'deleted', by: settlerOf(facts.caller) } },
  ];
  return accept(draftEvents(state, events, facts.now), { type: 'done' });
}
