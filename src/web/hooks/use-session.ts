/**
 * Follows one session and draws it as rarely as possible.
 *
 * Streamed text arrives in many small pieces, and history in many large ones. Both are folded at once and drawn with
 * the next frame; history is drawn when it is complete or takes long.
 */
import { useEffect, useState } from 'preact/hooks';
import type { Subscription } from '../../client/subscription.ts';
import type { Transport } from '../../client/transport.ts';
import type { ServerClock } from '../clock.ts';
import {
  applyStatus,
  emptySession,
  applyEvents,
  isCaughtUp,
  type SessionScreenState,
  applyDelta,
  applyWelcome,
} from '../model/session-screen-state.ts';

/** A hidden page gets no animation frames, but its title must count open requests. */
const FRAME_MS = 60;
/** History that takes longer is shown as far as it has arrived. */
const SHOW_PARTIAL_AFTER_MS = 300;

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
      delta: (delta) => change(applyDelta(state, delta), drawSoon),
      status: (status) =>
        change(applyStatus(state, status), status.type === 'replaying' ? drawSoon : draw),
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
