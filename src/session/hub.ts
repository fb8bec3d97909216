/**
 * Everyone who listens to a session: sockets, streams, and agents that wait for one outcome.
 *
 * 1. A subscriber sees every event once, in order: what is in the log when it comes is replayed to
 *    it, and only when it has caught up with the head does it hear live events.
 * 2. A replay lives in memory only. The object is not put to sleep while one runs, and a crash
 *    closes the sockets, so a socket that is found after waking has caught up.
 * 3. A socket that is gone, slow or no longer allowed never keeps the others from hearing.
 */
import { fitsInBytes } from '../protocol/bytes.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { errorFrame } from '../protocol/frames.ts';
import type { Interaction, InteractionView } from '../protocol/schema/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { eventsFrame, FRAME_FIT, settledFrame, welcomeFrame } from './frames-out.ts';
import type { Attachment, LogChunk, SessionStore, Socket, Sockets } from './ports.ts';
import { close, deliver } from './sending.ts';
import type { Snapshot } from '../protocol/types.ts';

/** Frames replayed before the others in the object get their turn. */
const FRAMES_AT_ONCE = 8;

export interface HubPorts {
  readonly store: Pick<SessionStore, 'readLog'>;
  readonly sockets: Sockets;
  readonly now: () => number;
  readonly later: (ms: number, work: () => void) => void;
}

export class Hub {
  readonly #ports: HubPorts;
  /** How far each socket that is still catching up has been sent. */
  readonly #replaying = new Map<Socket, number>();

  constructor(ports: HubPorts) {
    this.#ports = ports;
  }

  /** The refusal, or undefined: there is room for one more of these. */
  full(attachment: Attachment): Rejection | undefined {
    const held = isHeld(attachment);
    const max = held ? LIMITS.waiters : LIMITS.sockets;
    const count = this.#live().filter((socket) => isHeld(socket.attachment) === held).length;
    if (count < max) return undefined;
    const limit = held ? 'waiters' : 'sockets';
    return reject('limit_reached', 'Too many connections to this session', { limit, max });
  }

  /**
   * Called once the socket is among `sockets.all()`. Looking may end what is overdue; the socket is
   * catching up by then, or it would hear of that before its welcome and again in its replay.
   */
  welcome(socket: Socket, after: number, look: () => Snapshot | undefined): void {
    this.#replaying.set(socket, after);
    const snapshot = look();
    const isWelcome = snapshot !== undefined && deliver(socket, welcomeFrame(snapshot));
    if (isWelcome && after < snapshot.head) this.#replay(socket);
    else this.#replaying.delete(socket);
  }

  publish(chunk: LogChunk): void {
    const frames = framesOf(chunk);
    for (const socket of this.#live()) {
      if (socket.attachment.role !== 'subscriber' || this.#replaying.has(socket)) continue;
      for (const frame of frames) if (!deliver(socket, frame)) break;
    }
  }

  /** A preview; who is catching up gets the stored text instead, in its place. */
  preview(frame: string): void {
    for (const socket of this.#live()) {
      if (socket.attachment.role !== 'subscriber' || this.#replaying.has(socket)) continue;
      deliver(socket, frame);
    }
  }

  /** Whoever waits for this interaction hears how it ended, and has nothing more to wait for. */
  release(interaction: InteractionView): void {
    for (const socket of this.#waitersFor(interaction.interactionId)) {
      deliver(socket, settledFrame(interaction));
      close(socket, 1000, 'settled');
    }
  }

  /** An agent is there to take the outcome: one that waits for it, or the one that opened it. */
  agentListens(interaction: Interaction): boolean {
    return this.#live().some(({ attachment }) => {
      if (attachment.role === 'waiter') {
        return attachment.agent && attachment.interactionId === interaction.interactionId;
      }
      return attachment.caller.credential === interaction.openedBy.credential;
    });
  }

  closeAll(rejection: Rejection, code: number): void {
    for (const socket of this.#ports.sockets.all()) this.#turnAway(socket, rejection, code);
  }

  /** A frame may still arrive on a socket that is closing; it is too late for one that has expired. */
  revoke(credential: string): void {
    const now = this.#ports.now();
    for (const socket of this.#ports.sockets.all()) {
      const { attachment } = socket;
      if (!attachment.chain.includes(credential)) continue;
      const ended =
        attachment.role === 'waiter'
          ? { ...attachment, until: now }
          : { ...attachment, expiresAt: now };
      keep(socket, ended);
      this.#turnAway(socket, EXPIRED, 4401);
    }
  }

  forget(socket: Socket): void {
    this.#replaying.delete(socket);
  }

  #turnAway(socket: Socket, rejection: Rejection, code: number): void {
    this.#replaying.delete(socket);
    deliver(socket, errorFrame(rejection));
    close(socket, code, rejection.code);
  }

  /** Those still allowed to hear; the others are sent away as they are found. */
  #live(): Socket[] {
    const now = this.#ports.now();
    return this.#ports.sockets.all().filter((socket) => this.#mayHear(socket, now));
  }

  #mayHear(socket: Socket, now: number): boolean {
    const { attachment } = socket;
    if (attachment.role === 'waiter') {
      if (attachment.until > now) return true;
      close(socket, 1000, 'waited long enough');
      return false;
    }
    if (attachment.expiresAt === null || attachment.expiresAt > now) return true;
    this.#turnAway(socket, EXPIRED, 4401);
    return false;
  }

  #waitersFor(interactionId: string): Socket[] {
    return this.#live().filter(
      ({ attachment }) =>
        attachment.role === 'waiter' && attachment.interactionId === interactionId,
    );
  }

  #replay(socket: Socket): void {
    if (!this.#replaying.has(socket) || !this.#mayHear(socket, this.#ports.now())) return;
    for (let sent = 0; sent < FRAMES_AT_ONCE; sent += 1) {
      const position = this.#replaying.get(socket);
      if (position === undefined) return;
      const chunk = this.#ports.store.readLog(position, FRAME_FIT);
      if (chunk === undefined) {
        this.#replaying.delete(socket);
        return;
      }
      for (const frame of framesOf(chunk)) {
        if (!deliver(socket, frame)) {
          this.#replaying.delete(socket);
          return;
        }
      }
      this.#replaying.set(socket, chunk.lastSeq);
    }
    this.#ports.later(0, () => this.#replay(socket));
  }
}

const EXPIRED = reject('unauthenticated', 'This credential has expired or was revoked');

function isHeld(attachment: Attachment): boolean {
  return attachment.role === 'waiter' || attachment.held;
}

function keep(socket: Socket, attachment: Attachment): void {
  try {
    socket.attach(attachment);
  } catch {
    // It is gone, and will say nothing more.
  }
}

/** A command's events may be more than one frame holds; then each event travels by itself. */
function framesOf(chunk: LogChunk): string[] {
  const fits = chunk.count === 1 || fitsInBytes(chunk.json, FRAME_FIT.maxBytes);
  if (fits) return [eventsFrame(chunk)];
  const events = JSON.parse(`[${chunk.json}]`) as unknown[];
  return events.map((event) => eventsFrame({ json: JSON.stringify(event) }));
}
