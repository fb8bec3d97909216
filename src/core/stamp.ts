/** Gives decided events their place in the log. */
import type { AgentSettings } from '../protocol/schema/agent-settings.ts';
import type { DraftEvent, SessionEvent } from '../protocol/schema/event.ts';
import { type Address, begin, evolve } from './evolve.ts';
import type { SessionState } from './state.ts';

export function stamp(head: number, drafts: readonly DraftEvent[], at: number): SessionEvent[] {
  return drafts.map((draft, index) => ({ seq: head + index + 1, at, ...draft }));
}

/** The state after events; a log that begins makes a state out of nothing. */
export function applyAll(
  before: SessionState | null,
  events: readonly SessionEvent[],
  address: Address,
  /** Of a session that begins with these events. */
  agent?: AgentSettings | null,
): SessionState | null {
  return events.reduce<SessionState | null>(
    (state, event) => (state === null ? begin(address, event, agent) : evolve(state, event)),
    before,
  );
}

/** The state as if the drafts were already written; for decisions made of several steps. */
export function preview(
  state: SessionState,
  drafts: readonly DraftEvent[],
  now: number,
): SessionState {
  return stamp(state.head, drafts, now).reduce(evolve, state);
}
