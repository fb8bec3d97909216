/**
 * Everyone who listens to a session: sockets, streams, and agents that wait for one outcome.
 *
 * 1. A subscriber sees every event once, in order: what is in the log when it comes is replayed to
 *    it, and only when it has caught up with the head does it hear live events.
 * 2. A replay lives in memory only. The object is not put to sleep while one runs, and a crash
 *    closes the sockets, so a socket that is found after waking has caught up.
 * 3. A socket that is gone, slow or no longer allowed never keeps the others from hearing.
 * 4. What a socket does not read is kept by the server, and nothing tells how much that is. So a replay
 *    ends after so many bytes with a close: who answers it has read them, and comes again with its
 *    cursor. Until then they count for the root of its credential, which may have only so many.
 */
import { countBytes, fitsInBytes } from '../protocol/bytes.ts';
import { rootOf } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { errorFrame } from '../protocol/frames.ts';
import type { Interaction, InteractionView } from '../protocol/schema/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { eventsFrame, FRAME_FIT, PAUSED_FRAME, settledFrame, welcomeFrame } from './frames-out.ts';
import type { Attachment, LogChunk, SessionStore, Socket, Sockets } from './ports.ts';
import type { Snapshot } from '../protocol/types.ts';

/** Frames replayed before the others in the object get their turn. */
const FRAMES_AT_ONCE = 8;
/** Not worth a write to the attachment: a thousand of them are a quarter of what one root may have. */
const NEGLIGIBLE_BYTES = 64 * 1_024;
/** The close code that means nothing but "come again with your cursor". */
const RECONNECT_CODE = 1012;

export interface SubscriberPorts {
  readonly store: Pick<SessionStore, 'readLog'>;
  readonly sockets: Sockets;
  readonly now: () => number;
  readonly later: (ms: number, work: () => void) => void;
}

export class Subscribers {
  readonly #ports: SubscriberPorts;
  /** How far each socket that is still catching up has been sent, and how many bytes. */
  readonly #replaying = new Map<Socket, ReplayProgress>();

  constructor(ports: SubscriberPorts) {
    this.#ports = ports;
  }

  /** The refusal, or undefined: there is room for one more of these. */
  rejectIfFull(attachment: Attachment): Rejection | undefined {
    const held = isHeld(attachment);
    const max = held ? LIMITS.waiters : LIMITS.sockets;
    const count = this.#live().filter((socket) => isHeld(socket.attachment) === held).length;
    if (count >= max) {
      const limit = held ? 'waiters' : 'sockets';
      return reject('limit_reached', 'Too many connections to this session', { limit, max });
    }
    return attachment.role === 'subscriber' && this.#isOwing(attachment)
      ? TOO_MUCH_UNREAD
      : undefined;
  }

  /**
   * Called once the socket is among `sockets.all()`. Looking may end what is overdue; the socket is
   * catching up by then, or it would hear of that before its welcome and again in its replay.
   */
  welcome(socket: Socket, after: number, look: () => Snapshot | undefined): void {
    this.#replaying.set(socket, { upTo: after, bytes: 0 });
    const snapshot = look();
    if (snapshot === undefined) return this.#caughtUp(socket);
    const frame = welcomeFrame(snapshot);
    const isWelcome = trySend(socket, frame);
    this.#replaying.set(socket, { upTo: after, bytes: countBytes(frame) });
    if (isWelcome && after < snapshot.head) this.#replay(socket);
    else this.#caughtUp(socket);
  }

  publish(chunk: LogChunk): void {
    const frames = framesOf(chunk);
    for (const socket of this.#live()) {
      if (socket.attachment.role !== 'subscriber' || this.#replaying.has(socket)) continue;
      for (const frame of frames) if (!trySend(socket, frame)) break;
    }
  }

  /** A preview; who is catching up gets the stored text instead, in its place. */
  preview(frame: string): void {
    for (const socket of this.#live()) {
      if (socket.attachment.role !== 'subscriber' || this.#replaying.has(socket)) continue;
      trySend(socket, frame);
    }
  }

  /** Whoever waits for this interaction hears how it ended, and has nothing more to wait for. */
  release(interaction: InteractionView): void {
    for (const socket of this.#waitersFor(interaction.interactionId)) {
      trySend(socket, settledFrame(interaction));
      tryClose(socket, 1000, 'settled');
    }
  }

  /** An agent is there to take the outcome: one that waits for it, or the one that opened it. */
  isAgentWaiting(interaction: Interaction): boolean {
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
      tryAttach(socket, ended);
      this.#turnAway(socket, CREDENTIAL_ENDED, 4401);
    }
  }

  remove(socket: Socket): void {
    this.#replaying.delete(socket);
  }

  #turnAway(socket: Socket, rejection: Rejection, code: number): void {
    this.#caughtUp(socket);
    trySend(socket, errorFrame(rejection));
    tryClose(socket, code, rejection.code);
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
      tryClose(socket, 1000, 'waited long enough');
      return false;
    }
    if (attachment.expiresAt === null || attachment.expiresAt > now) return true;
    this.#turnAway(socket, CREDENTIAL_ENDED, 4401);
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
    for (let count = 0; count < FRAMES_AT_ONCE; count += 1) {
      const sent = this.#replaying.get(socket);
      if (sent === undefined) return;
      const chunk = this.#ports.store.readLog(sent.upTo, FRAME_FIT);
      if (chunk === undefined) return this.#caughtUp(socket);
      if (sent.bytes > LIMITS.replayBytes && this.#mayBeUnread) return this.#pause(socket);
      let { bytes } = sent;
      for (const frame of framesOf(chunk)) {
        if (!trySend(socket, frame)) {
          this.#replaying.delete(socket);
          return;
        }
        bytes += countBytes(frame);
      }
      this.#replaying.set(socket, { upTo: chunk.lastSeq, bytes });
    }
    if (this.#isOwing(socket.attachment)) return this.#turnAway(socket, TOO_MUCH_UNREAD, 1013);
    this.#ports.later(0, () => this.#replay(socket));
  }

  get #mayBeUnread(): boolean {
    return this.#ports.sockets.closing !== undefined;
  }

  #caughtUp(socket: Socket): void {
    this.#keepReplayed(socket);
    this.#replaying.delete(socket);
  }

  /** A stream is told and ends by itself, once its reader has everything: until then it hears nothing more. */
  #pause(socket: Socket): void {
    this.#keepReplayed(socket);
    if (isHeld(socket.attachment)) return void trySend(socket, PAUSED_FRAME);
    this.#replaying.delete(socket);
    tryClose(socket, RECONNECT_CODE, 'come again with the last seq');
  }

  #keepReplayed(socket: Socket): void {
    const { attachment } = socket;
    const bytes = this.#replaying.get(socket)?.bytes ?? 0;
    if (attachment.role !== 'subscriber' || bytes < NEGLIGIBLE_BYTES || !this.#mayBeUnread) return;
    tryAttach(socket, { ...attachment, replayed: bytes });
  }

  /** As many bytes as its root may have are with connections of which nothing shows that they read them. */
  #isOwing(attachment: Attachment): boolean {
    const { closing } = this.#ports.sockets;
    if (closing === undefined || attachment.role !== 'subscriber') return false;
    const root = rootOf(attachment.caller);
    let bytes = 0;
    for (const socket of [...this.#ports.sockets.all(), ...closing.call(this.#ports.sockets)]) {
      const other = socket.attachment;
      if (other.role !== 'subscriber' || rootOf(other.caller) !== root) continue;
      bytes += this.#replaying.get(socket)?.bytes ?? other.replayed ?? 0;
    }
    return bytes >= LIMITS.rootReplayBytes;
  }
}

interface ReplayProgress {
  readonly upTo: number;
  readonly bytes: number;
}

const TOO_MUCH_UNREAD = reject(
  'limit_reached',
  'Connections made with this credential hold too much of this session that they may not have read',
  { limit: 'rootReplayBytes', max: LIMITS.rootReplayBytes },
);

const CREDENTIAL_ENDED = reject('unauthenticated', 'This credential has expired or was revoked');

function isHeld(attachment: Attachment): boolean {
  return attachment.role === 'waiter' || attachment.held;
}

function tryAttach(socket: Socket, attachment: Attachment): void {
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

/** False when the other side is gone, which is never the sender's problem: its close event will come, or already has. */
export function trySend(socket: Socket, frame: string): boolean {
  try {
    socket.send(frame);
    return true;
  } catch {
    return false;
  }
}

export function tryClose(socket: Socket, code: number, reason: string): void {
  try {
    socket.close(code, reason);
  } catch {
    // It is closing already, which is what was wanted.
  }
}
