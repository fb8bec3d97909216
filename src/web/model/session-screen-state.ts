/** The state of one session on the screen: a fold of its subscription. */
import { emptyReplica, foldLog, foldWelcome, type Replica } from '../../client/state/replica.ts';
import type { ConnectionStatus, Delta } from '../../client/subscription.ts';
import {
  emptyTimeline,
  foldDelta,
  foldEvents,
  type Timeline,
  withoutPreviews,
} from '../../client/timeline/index.ts';
import type { SessionEvent, Snapshot } from '../../protocol/types.ts';

export interface SessionScreenState {
  readonly replica: Replica;
  readonly timeline: Timeline;
  readonly connection: ConnectionStatus;
  /** An event is missing: the session has to be followed from its start again. */
  readonly isBroken: boolean;
}

export function emptySession(): SessionScreenState {
  return {
    replica: emptyReplica(),
    timeline: emptyTimeline(),
    connection: { type: 'connecting' },
    isBroken: false,
  };
}

/** Text that was streamed before a reconnect is not sent again. */
export function applyWelcome(state: SessionScreenState, snapshot: Snapshot): SessionScreenState {
  const replica = foldWelcome(state.replica, snapshot);
  return { ...state, replica, timeline: withoutPreviews(state.timeline) };
}

export function applyEvents(
  state: SessionScreenState,
  events: readonly SessionEvent[],
): SessionScreenState {
  const folded = foldLog(state.replica, events);
  if (!folded.ok) return { ...state, isBroken: true };
  return { ...state, replica: folded.replica, timeline: foldEvents(state.timeline, events) };
}

export function applyDelta(state: SessionScreenState, delta: Delta): SessionScreenState {
  return { ...state, timeline: foldDelta(state.timeline, delta) };
}

export function applyStatus(
  state: SessionScreenState,
  connection: ConnectionStatus,
): SessionScreenState {
  return { ...state, connection };
}

/** All events up to the snapshot are folded. */
export function isCaughtUp({ replica }: SessionScreenState): boolean {
  return replica.session !== null && replica.cursor >= replica.asOf;
}
