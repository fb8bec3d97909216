/**
 * Follows one session and draws it as rarely as possible.
 *
 * Streamed text arrives in many small pieces, and history in many large ones. Both are folded at once and drawn with
 * the next frame; history is drawn when it is complete or takes long.
 */
import { useEffect, useState } from 'preact/hooks';
import { emptyReplica, foldLog, foldWelcome, type Replica } from '../../client/state/replica.ts';
import type { ConnectionStatus, Subscription, Transport } from '../../client/transport.ts';
import {
  emptyTimeline,
  foldDelta,
  foldEvents,
  withoutPreviews,
  type Timeline,
} from '../../client/timeline/index.ts';
import type { SessionEvent, Snapshot } from '../../protocol/types.ts';
import type { ServerClock } from '../clock.ts';

/** A hidden page gets no animation frames, but its title must count open requests. */
const FRAME_MS = 60;
/** History that takes longer is shown as far as it has arrived. */
const SHOW_PARTIAL_AFTER_MS = 300;

/** The state of one session on the screen: a fold of its subscription. */
interface SessionScreenState {
  readonly replica: Replica;
  readonly timeline: Timeline;
  readonly connection: ConnectionStatus;
  /** An event is missing: the session has to be followed from its start again. */
  readonly isBroken: boolean;
}

export interface FollowedSession {
  readonly state: SessionScreenState;
  readonly reconnect: () => void;
}

export function useSession(
  transport: Transport,
  sessionId: string,
  clock: ServerClock,
): FollowedSession {
  const [shown, setShown] = useState(emptySession);
  const [subscription, setSubscription] = useState<Subscription>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let state = emptySession();
    let drawing: (() => void) | undefined;
    const draw = () => {
      drawing?.();
      drawing = undefined;
      setShown(state);
    };
    const drawSoon = () => {
      if (isCaughtUp(state)) drawing?.();
      else if (drawing !== undefined) return;
      drawing = isCaughtUp(state) ? nextFrame(draw) : callAfter(draw, SHOW_PARTIAL_AFTER_MS);
    };
    const change = (next: SessionScreenState, when: () => void) => {
      state = next;
      when();
    };
    setShown(state);
    const followed = transport.subscribe(sessionId, {
      welcome(snapshot) {
        clock.setServerTime(snapshot.now);
        change(applyWelcome(state, snapshot), drawSoon);
      },
      events(events) {
        change(applyEvents(state, events), drawSoon);
        if (state.isBroken) setAttempt((count) => count + 1);
      },
      delta: (delta) => change({ ...state, timeline: foldDelta(state.timeline, delta) }, drawSoon),
      status: (status) =>
        change({ ...state, connection: status }, status.type === 'replaying' ? drawSoon : draw),
    });
    setSubscription(followed);
    return () => {
      drawing?.();
      followed.close();
    };
  }, [transport, sessionId, clock, attempt]);

  return { state: shown, reconnect: () => subscription?.reconnect() };
}

function nextFrame(work: () => void): () => void {
  const frame = requestAnimationFrame(work);
  const timer = setTimeout(work, FRAME_MS);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

function callAfter(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

function emptySession(): SessionScreenState {
  return {
    replica: emptyReplica(),
    timeline: emptyTimeline(),
    connection: { type: 'connecting' },
    isBroken: false,
  };
}

/** Text that was streamed before a reconnect is not sent again. */
function applyWelcome(state: SessionScreenState, snapshot: Snapshot): SessionScreenState {
  const replica = foldWelcome(state.replica, snapshot);
  return { ...state, replica, timeline: withoutPreviews(state.timeline) };
}

function applyEvents(
  state: SessionScreenState,
  events: readonly SessionEvent[],
): SessionScreenState {
  const folded = foldLog(state.replica, events);
  if (!folded.ok) return { ...state, isBroken: true };
  return { ...state, replica: folded.replica, timeline: foldEvents(state.timeline, events) };
}

/** All events up to the snapshot are folded. */
export function isCaughtUp({ replica }: SessionScreenState): boolean {
  return replica.session !== null && replica.cursor >= replica.asOf;
}
