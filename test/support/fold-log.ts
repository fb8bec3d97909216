/** Rebuilds a session from its log alone. */
import { type SessionAddress, createState, evolve } from '../../src/core/evolve.ts';
import type { SessionState } from '../../src/core/state.ts';
import type { AgentSettings } from '../../src/protocol/schema/agent-settings.ts';
import type { SessionEvent } from '../../src/protocol/schema/event.ts';
import type { Interaction } from '../../src/protocol/schema/interaction.ts';
import { foldRecord, isRecordEvent } from '../../src/protocol/interaction-record.ts';

export function foldLog(
  before: SessionState | null,
  events: readonly SessionEvent[],
  address: SessionAddress,
  /** The settings of the session's agent; no log contains them. */
  agent?: AgentSettings | null,
): SessionState | null {
  return events.reduce<SessionState | null>(
    (state, event) =>
      state === null ? createState(address, event, agent) : evolve(state, event).state,
    before,
  );
}

/** Applies an event to its record in `records`, by id. */
export function foldIntoRecords(records: Map<string, Interaction>, event: SessionEvent): void {
  if (!isRecordEvent(event)) return;
  const { interactionId } = event.payload;
  const record = foldRecord(records.get(interactionId), event);
  if (record !== undefined) records.set(interactionId, record);
}
