/**
 * A decision in progress: the events so far, the state after them, and the records that they change.
 *
 * 1. Each event is folded once, when it is added. The commit writes the draft and folds nothing.
 * 2. The head of the state counts the events, also after an event was inserted among them.
 */
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import type { DraftEvent, SessionEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import { isRecordEvent } from '../protocol/interaction-record.ts';
import type { QueuedMessage } from '../protocol/schema/session.ts';
import { type SessionAddress, createState, evolve } from './evolve.ts';
import { type SessionState, isBusy } from './state.ts';

export interface SessionDraft {
  readonly events: readonly DraftEvent[];
  readonly state: SessionState;
  /** By id, each as the last event about it leaves it. */
  readonly records: ReadonlyMap<string, Interaction>;
}

export function startDraft(state: SessionState): SessionDraft {
  return { events: [], state, records: new Map() };
}

/** A session that begins with this event. */
export function draftNewSession(
  address: SessionAddress,
  event: DraftEvent,
  now: number,
  agent?: AgentSettings,
): SessionDraft {
  const state = createState(address, { seq: 1, at: now, ...event }, agent);
  return { ...startDraft(state), events: [event] };
}

export function draftEvents(
  state: SessionState,
  events: readonly DraftEvent[],
  now: number,
): SessionDraft {
  return addEvents(startDraft(state), events, now);
}

export function addEvents<D extends SessionDraft>(
  draft: D,
  events: readonly DraftEvent[],
  now: number,
): D {
  if (events.length === 0) return draft;
  let { state } = draft;
  const records = new Map(draft.records);
  for (const event of events) {
    const stamped: SessionEvent = { seq: state.head + 1, at: now, ...event };
    const next = evolve(state, stamped);
    state = next.state;
    if (next.record !== undefined) records.set(next.record.interactionId, next.record);
    else if (isRecordEvent(stamped) && !mayBeAboutSettled(stamped)) {
      throw new Error(`${event.type} for ${stamped.payload.interactionId}, which is not open`);
    }
  }
  return { ...draft, events: [...draft.events, ...events], state, records };
}

/** The record of a settled interaction is not part of the state. */
function mayBeAboutSettled(event: DraftEvent): boolean {
  return (
    event.type === 'interaction_update' &&
    (event.payload.change === 'reassigned' || event.payload.change === 'undone')
  );
}

export function isReassignment(
  event: DraftEvent,
): event is Extract<DraftEvent, { type: 'interaction_update' }> {
  return event.type === 'interaction_update' && event.payload.change === 'reassigned';
}

/** Adds a decision that was made on the state of this draft. */
export function addDecision<D extends SessionDraft>(draft: D, decided: SessionDraft): D {
  return {
    ...draft,
    events: [...draft.events, ...decided.events],
    state: decided.state,
    records: new Map([...draft.records, ...decided.records]),
  };
}

/**
 * Inserts the events that `add` adds before the events from `index` on. The later events are folded already, so `add` may
 * add only events whose effect does not depend on this order: messages, calls and results, or a turn that none of the
 * later events ends.
 */
export function insertEventsBefore<D extends SessionDraft>(
  draft: D,
  index: number,
  add: (draft: D) => D,
): D {
  const added = add({ ...draft, events: draft.events.slice(0, index) });
  return { ...added, events: [...added.events, ...draft.events.slice(index)] };
}

/** Gives decided events their `seq` and time. */
export function stamp(head: number, drafts: readonly DraftEvent[], at: number): SessionEvent[] {
  return drafts.map((draft, index) => ({ seq: head + index + 1, at, ...draft }));
}

/**
 * Messages that arrive while only approvals are open wait in a queue, and reach the agent once no interaction is open.
 *
 * The queue is emptied in the same commit as the settlement that makes this possible. With two commits, a crash
 * between them would leave a message that the agent never reads.
 */
export function drainQueue(draft: SessionDraft, now: number): SessionDraft {
  const { state } = draft;
  const { queued } = state.info;
  const isWanted = queued.length > 0 && state.open.size === 0 && !isBusy(state);
  return isWanted ? addEvents(draft, drainEvents(queued), now) : draft;
}

export function drainEvents(queued: readonly QueuedMessage[]): DraftEvent[] {
  const messages = queued.map(
    ({ id, text, subject, attachments }): DraftEvent => ({
      type: 'user_message',
      payload: { text, subject, messageId: id, ...(attachments && { attachments }) },
    }),
  );
  const emptied: DraftEvent = {
    type: 'session_updated',
    payload: { queued: [], by: { subject: 'system', via: 'system' } },
  };
  return [emptied, ...messages];
}
