/**
 * The first seconds of a wait: the call that joined stays pending and returns the outcome itself, without a connection.
 *
 * A connection costs as much as the rest of a fast answer, and a pending call keeps the session in memory. So a call
 * waits only while the interaction is younger than `WAIT_IN_CALL_MS`, however often its agent repeats the wait. Then it
 * returns without an outcome, and its caller connects; the connection takes the place of the waiter. Until it comes the
 * waiter stays, and keeps an outcome for it: a pause between the two would look like an agent that waits no longer.
 *
 * A waiter is one of the sockets of the session, so it takes its share of the limits, and a revocation, a deadline or the end of
 * the session ends it as it ends every other one.
 */
import type { Rejection } from '../protocol/errors.ts';
import { errorFrame } from '../protocol/frames.ts';
import type { ResultMeta, ResultText } from './command-result.ts';
import { settledFrame } from './frames-out.ts';
import { completeJoin, type WaitRequest } from './join.ts';
import type { Attachment, Socket } from './ports.ts';
import { readInteraction } from './queries.ts';
import type { Session } from './session.ts';

/**
 * Long enough for programs that answer. An object with a pending call is billed for its time in memory, and a person takes
 * longer: eight seconds doubled the price of an approval by a person.
 */
export const WAIT_IN_CALL_MS = 2_000;
/** For the connection of a caller whose call has returned; one that has gone does not come. */
export const MOVE_MS = 3_000;

/** What a call returns: its only frame, or nothing if its caller must connect. */
type PendingCallEnd = string | undefined;
export type WaitReply = PendingCallEnd | Rejection;

/** With an `interactionId` the question is open, or was while its call was pending. */
export type AskReply = ResultText | Rejection | AskedReply;
interface AskedReply extends ResultMeta {
  readonly ok: true;
  readonly interactionId: string;
  readonly frame: PendingCallEnd;
}

/** The waiter of a call that has returned: its place, or the frame that came in the meantime. */
export type MovedWaiter = { readonly attachment: Attachment } | { readonly frame: string };

export interface PendingCallPorts {
  /** Adds a waiter to the sockets of the session, until the result is called. */
  readonly hold: (waiter: Socket) => () => void;
  /** The result stops the timer: one that is left over would keep the session in memory. */
  readonly timer: (ms: number, work: () => void) => () => void;
}

export class PendingCalls {
  readonly #session: Session;
  readonly #ports: PendingCallPorts;
  readonly #calls = new Map<string, CallWaiter>();

  constructor(session: Session, ports: PendingCallPorts) {
    this.#session = session;
    this.#ports = ports;
  }

  /** Called where the caller may wait: `joinRejection` has found nothing against it. `id` is of the caller's making. */
  async wait(id: string, request: WaitRequest): Promise<PendingCallEnd> {
    const call = new CallWaiter(request.attachment, this.#ports, (hasConnection) => {
      this.#calls.delete(id);
      // Its connection waits on.
      if (!hasConnection) this.#session.subscribers.remove(call);
    });
    this.#calls.set(id, call);
    call.begin(this.#session, request);
    const end = await call.returned;
    // Read only now: the session closes a waiter in the middle of a command too.
    return end === 'over' ? this.#presentFrame(request) : end.frame;
  }

  /** The caller has gone, or may wait no longer. */
  leave(id: string): void {
    this.#calls.get(id)?.leave();
  }

  /** For the connection of a call that has returned; undefined if the waiter is not there any more. */
  take(id: string): MovedWaiter | undefined {
    return this.#calls.get(id)?.take();
  }

  /** The record as it is when a wait ends without an outcome. */
  #presentFrame({ interactionId, caller }: WaitRequest): string {
    const read = readInteraction(this.#session, interactionId, caller);
    return read.ok ? settledFrame(read.value) : errorFrame(read);
  }
}

const NOTHING_HELD = (): void => undefined;

/** `over`: the time is up. Without a frame the caller connects, or has gone. */
type CallEnd = 'over' | { readonly frame: string | undefined };

class CallWaiter implements Socket {
  readonly returned: Promise<CallEnd>;
  attachment: Attachment;
  readonly #ports: PendingCallPorts;
  readonly #return: (end: CallEnd) => void;
  readonly #forget: (hasConnection: boolean) => void;
  #release: () => void;
  #stopTimer = NOTHING_HELD;
  /** The call has returned, and its connection has not come. */
  #isMoving = false;
  #isOver = false;
  #frame: string | undefined;

  constructor(
    attachment: Attachment,
    ports: PendingCallPorts,
    forget: (hasConnection: boolean) => void,
  ) {
    this.attachment = attachment;
    this.#ports = ports;
    this.#forget = forget;
    const { promise, resolve } = Promise.withResolvers<CallEnd>();
    this.returned = promise;
    this.#return = resolve;
    this.#release = ports.hold(this);
  }

  begin(session: Session, request: WaitRequest): void {
    completeJoin(session, this, request);
    const { inCall, inAll } = waitTimeLeft(session, this.attachment);
    if (this.#isOver) return;
    if (inCall <= 0) return this.#move();
    const isShort = inAll <= inCall;
    this.#stopTimer = this.#ports.timer(Math.min(inAll, inCall), () =>
      isShort ? this.close() : this.#move(),
    );
  }

  attach(attachment: Attachment): void {
    this.attachment = attachment;
  }

  send(frame: string): void {
    if (this.#isMoving) this.#frame ??= frame;
    else this.#end({ frame });
  }

  /** A frame that waits for its connection outlives the close. */
  close(): void {
    if (this.#frame === undefined) this.#end('over');
    else this.#letGo();
  }

  leave(): void {
    this.#end({ frame: undefined });
  }

  take(): MovedWaiter | undefined {
    if (!this.#isMoving || this.#isOver) return undefined;
    const frame = this.#frame;
    this.#end({ frame: undefined }, frame === undefined);
    return frame === undefined ? { attachment: this.attachment } : { frame };
  }

  #move(): void {
    this.#isMoving = true;
    this.#return({ frame: undefined });
    this.#stopTimer = this.#ports.timer(MOVE_MS, () => this.leave());
  }

  #letGo(): void {
    const release = this.#release;
    this.#release = NOTHING_HELD;
    release();
  }

  #end(end: CallEnd, hasConnection = false): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#letGo();
    this.#stopTimer();
    this.#forget(hasConnection);
    this.#return(end);
  }
}

/** Until the call must return, and until the wait must end. */
function waitTimeLeft(session: Session, attachment: Attachment): { inCall: number; inAll: number } {
  if (attachment.role !== 'waiter') return { inCall: 0, inAll: 0 };
  const now = session.ports.now();
  const openedAt = session.current()?.open.get(attachment.interactionId)?.openedAt ?? 0;
  return { inCall: openedAt + WAIT_IN_CALL_MS - now, inAll: attachment.until - now };
}
