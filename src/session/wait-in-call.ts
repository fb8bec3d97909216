/**
 * The first seconds of a wait: the call that joined stays pending and returns the outcome itself, without a connection.
 *
 * A connection costs as much as the rest of a fast answer, and a pending call keeps the session in memory. So a call
 * waits only while the interaction is younger than `WAIT_IN_CALL_MS`, however often its agent repeats the wait. The
 * waiter then moves to a hibernating connection in one task: an outcome in between would find no waiter.
 *
 * Until then the waiter is one of the sockets of the session, so it counts as an agent that waits, takes its share of
 * the limits, and a revocation, a deadline or the end of the session ends it as it ends every other one.
 */
import { errorFrame } from '../protocol/frames.ts';
import { settledFrame } from './frames-out.ts';
import { completeJoin, type WaitRequest } from './join.ts';
import type { Attachment, Socket } from './ports.ts';
import { readInteraction } from './queries.ts';
import type { Session } from './session.ts';

/** Below the ten seconds after which the platform lets an idle object leave its memory. */
export const WAIT_IN_CALL_MS = 8_000;

export interface PendingCallPorts<Connection> {
  /** Adds a waiter to the sockets of the session, until the result is called. */
  readonly hold: (waiter: Socket) => () => void;
  /** Accepts a hibernating connection. */
  readonly connect: (attachment: Attachment) => Connection;
  /** The result stops the timer: one that is left over would keep the session in memory. */
  readonly timer: (ms: number, work: () => void) => () => void;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
}

/** What the call returns: its only frame, or the connection on which the caller goes on waiting. */
export type PendingCallEnd<Connection> =
  | { readonly frame: string }
  | { readonly connection: Connection };

/** No caller reads it. */
const GONE = { frame: '' };

/** Called where the caller may wait: `joinRejection` has found nothing against it. */
export async function waitInCall<Connection>(
  session: Session,
  request: WaitRequest,
  ports: PendingCallPorts<Connection>,
): Promise<PendingCallEnd<Connection>> {
  const ended = await awaitEnd(session, request, ports);
  // Read only now: the session closes a waiter in the middle of a command too.
  return ended === 'over' ? presentFrame(session, request) : ended;
}

function awaitEnd<Connection>(
  session: Session,
  request: WaitRequest,
  { hold, connect, timer, signal }: PendingCallPorts<Connection>,
): Promise<PendingCallEnd<Connection> | 'over'> {
  return new Promise((resolve, reject) => {
    let { attachment } = request;
    let isEnded = false;
    let stopTimer = (): void => undefined;
    const end = (how: PendingCallEnd<Connection> | 'over') => {
      if (isEnded) return;
      isEnded = true;
      release();
      stopTimer();
      signal.removeEventListener('abort', leave);
      resolve(how);
    };
    const leave = () => end(GONE);
    const moveToConnection = () => {
      try {
        end({ connection: connect(attachment) });
      } catch (cause) {
        reject(cause);
        end('over');
      }
    };
    const waiter: Socket = {
      get attachment() {
        return attachment;
      },
      attach(next) {
        attachment = next;
      },
      send: (frame) => end({ frame }),
      close: () => end('over'),
    };
    const release = hold(waiter);
    completeJoin(session, waiter, request);
    const leftMs = timeLeft(session, attachment);
    if (isEnded) return;
    if (signal.aborted) return leave();
    if (leftMs.inCall <= 0) return moveToConnection();
    signal.addEventListener('abort', leave);
    const isShort = leftMs.inAll <= leftMs.inCall;
    stopTimer = timer(Math.min(leftMs.inAll, leftMs.inCall), () =>
      isShort ? end('over') : moveToConnection(),
    );
  });
}

/** Until the call must end, and until the wait must. */
function timeLeft(session: Session, attachment: Attachment): { inCall: number; inAll: number } {
  if (attachment.role !== 'waiter') return { inCall: 0, inAll: 0 };
  const now = session.ports.now();
  const openedAt = session.current()?.open.get(attachment.interactionId)?.openedAt ?? 0;
  return { inCall: openedAt + WAIT_IN_CALL_MS - now, inAll: attachment.until - now };
}

/** The record as it is when the wait ends without an outcome. */
function presentFrame(session: Session, { interactionId, caller }: WaitRequest) {
  const read = readInteraction(session, interactionId, caller);
  return { frame: read.ok ? settledFrame(read.value) : errorFrame(read) };
}
