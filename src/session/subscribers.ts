/**
 * The subscribers of a session: sockets, streams, and waiters for one outcome.
 *
 * 1. A subscriber receives every event once, in order: first a replay of the log after its cursor, and live events only
 *    after the replay has reached the head.
 * 2. A replay lives in memory only. The platform does not evict the object during a replay, and a crash closes the
 *    sockets, so a socket that exists after waking has caught up.
 * 3. A socket that is gone, slow or no longer allowed never delays the others.
 * 4. The server keeps what a socket does not read, and cannot see how much that is. So a replay ends after
 *    `LIMITS.replayBytes` with a close: a client that answers the close has read everything, and reconnects with its
 *    cursor. Until then the bytes count for the root of its credential, up to `LIMITS.rootReplayBytes`.
 */
import { rejectConnection } from '../core/connection-limits.ts';
import { countBytes, fitsInBytes } from '../protocol/bytes.ts';
import { actsAsAgent, isAgentOf, rootOf } from '../protocol/caller.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { errorFrame } from '../protocol/frames.ts';
import type { Interaction, InteractionView } from '../protocol/schema/interaction.ts';
import { LIMITS } from '../protocol/limits.ts';
import { sessionPlaceOf, isHeld, isInTime } from './attachment.ts';
import { eventsFrame, FRAME_FIT, PAUSED_FRAME, settledFrame, welcomeFrame } from './frames-out.ts';
import { Onlookers } from './onlookers.ts';
import type { Attachment, LogChunk, SessionStore, Socket, Sockets } from './ports.ts';
import { tryAttach, tryClose, trySend } from './try-send.ts';
import type { Snapshot } from '../protocol/types.ts';

/** Sent in a replay before other work of the object gets its turn: some three milliseconds of work. */
const BYTES_AT_ONCE = 1_280 * 1_024;
/** Replays below this are not written to the attachment: a thousand of them use a quarter of a root's limit. */
const NEGLIGIBLE_BYTES = 64 * 1_024;
/** The close code after which a client reconnects with its cursor. */
const RECONNECT_CODE = 1012;

export interface SubscriberPorts {
  readonly store: Pick<SessionStore, 'readLog'>;
  readonly sockets: Sockets;
  readonly now: () => number;
  readonly later: (ms: number, work: () => void) => void;
  /** These connections are gone. */
  readonly onLeft?: (attachments: readonly Attachment[]) => void;
}

export class Subscribers {
  readonly onlookers: Onlookers;
  readonly #ports: SubscriberPorts;
  /** The progress of each socket that is still catching up. */
  readonly #replaying = new Map<Socket, ReplayProgress>();

  constructor(ports: SubscriberPorts) {
    this.#ports = ports;
    this.onlookers = new Onlookers(ports);
  }

  /** Undefined if the session has a place for this connection. */
  rejectIfFull(attachment: Attachment): Rejection | undefined {
    const present = this.#live().map((socket) => sessionPlaceOf(socket.attachment));
    const rejection = rejectConnection(sessionPlaceOf(attachment), present, 'session');
    if (rejection !== undefined) return rejection;
    return attachment.role === 'subscriber' && this.#isRootFull(attachment)
      ? TOO_MUCH_UNREAD
      : undefined;
  }

  /**
   * Called when the socket is among `sockets.all()`. `look` may end an overdue interaction; the socket already counts
   * as catching up, or it would receive that event before its welcome and again in its replay.
   */
  welcome(socket: Socket, after: number, look: () => Snapshot | undefined): void {
    this.#replaying.set(socket, { upTo: after, bytes: 0 });
    const snapshot = look();
    if (snapshot === undefined) return this.#endReplay(socket);
    const frame = welcomeFrame(snapshot);
    const isWelcome = trySend(socket, frame);
    const upTo = startAfter(after, snapshot.head);
    this.#replaying.set(socket, { upTo, bytes: countBytes(frame) });
    if (isWelcome && upTo < snapshot.head) this.#replay(socket);
    else this.#endReplay(socket);
  }

  publish(chunk: LogChunk): void {
    this.#send(framesOf(chunk));
  }

  /** Sends a preview to the subscribers that have caught up; the replay brings the stored text to the others. */
  preview(frame: string): void {
    this.#send([frame]);
  }

  /** Sends what belongs to the present and not to the log, during a replay too, and never before the welcome. */
  announce(frame: string): void {
    for (const socket of this.#subscribers())
      if (this.#replaying.get(socket)?.bytes !== 0) trySend(socket, frame);
  }

  hasSubscribers(): boolean {
    return this.#subscribers().length > 0;
  }

  #subscribers(): Socket[] {
    const now = this.#ports.now();
    return this.#ports.sockets
      .all()
      .filter((socket) => socket.attachment.role === 'subscriber' && isInTime(socket, now));
  }

  /** In one pass over the sockets, of which there may be a thousand. */
  #send(frames: readonly string[]): void {
    const now = this.#ports.now();
    const ended: Socket[] = [];
    for (const socket of this.#ports.sockets.all()) {
      if (!isInTime(socket, now)) {
        ended.push(socket);
        continue;
      }
      if (socket.attachment.role !== 'subscriber' || this.#replaying.has(socket)) continue;
      for (const frame of frames) if (!trySend(socket, frame)) break;
    }
    if (ended.length > 0) this.#end(ended);
  }

  /** Sends a settled record to its waiters and closes them. */
  release(interaction: InteractionView): void {
    for (const socket of this.#waitersFor(interaction.interactionId)) {
      trySend(socket, settledFrame(interaction));
      tryClose(socket, 1000, 'settled');
    }
  }

  /** True if an agent waits for the outcome, or if the credential that opened the interaction is connected. */
  isAgentWaiting(interaction: Interaction): boolean {
    return this.#live().some(({ attachment }) => isAwaitedBy(attachment, interaction));
  }

  /** True if a connection that receives every event may act as the agent of this interaction. */
  isShownTo({ openedBy }: Interaction): boolean {
    return this.#live().some(
      ({ attachment }) =>
        attachment.role === 'subscriber' && isAgentOf(attachment.caller, openedBy),
    );
  }

  /** The credentials of agents that are connected or wait for an outcome, each once. */
  connectedAgents(): string[] {
    const found = this.#live().flatMap(({ attachment }) => {
      if (attachment.role === 'waiter') return attachment.agent ? attachment.chain.slice(0, 1) : [];
      return actsAsAgent(attachment.caller) ? [attachment.caller.credential] : [];
    });
    return [...new Set(found)];
  }

  closeAll(rejection: Rejection, code: number): void {
    this.#disconnect(this.#ports.sockets.all(), rejection, code);
  }

  /** Marks the sockets as expired before closing them: a frame that still arrives is then refused. */
  revoke(credential: string): void {
    const now = this.#ports.now();
    const ended = this.#ports.sockets
      .all()
      .filter(({ attachment }) => attachment.chain.includes(credential));
    for (const socket of ended) {
      const { attachment } = socket;
      tryAttach(
        socket,
        attachment.role === 'waiter'
          ? { ...attachment, until: now }
          : { ...attachment, expiresAt: now },
      );
    }
    this.#disconnect(ended, CREDENTIAL_EXPIRED, 4401);
  }

  remove(socket: Socket): void {
    this.#replaying.delete(socket);
    this.onlookers.leave([socket]);
    this.#ports.onLeft?.([socket.attachment]);
  }

  #disconnect(sockets: readonly Socket[], rejection: Rejection, code: number): void {
    for (const socket of sockets) {
      this.#endReplay(socket);
      trySend(socket, errorFrame(rejection));
      tryClose(socket, code, rejection.code);
    }
    this.onlookers.leave(sockets);
    this.#ports.onLeft?.(sockets.map(({ attachment }) => attachment));
  }

  /** The sockets that may still receive; expired ones are closed on the way. */
  #live(): Socket[] {
    const now = this.#ports.now();
    const all = this.#ports.sockets.all();
    const live = all.filter((socket) => isInTime(socket, now));
    if (live.length < all.length) this.#end(all.filter((socket) => !isInTime(socket, now)));
    return live;
  }

  /** Ends what has lasted its time. */
  #end(sockets: readonly Socket[]): void {
    const isWaiter = ({ attachment }: Socket) => attachment.role === 'waiter';
    for (const waiter of sockets.filter(isWaiter)) tryClose(waiter, 1000, 'wait ended');
    const expired = sockets.filter((socket) => !isWaiter(socket));
    this.#disconnect(expired, CREDENTIAL_EXPIRED, 4401);
  }

  #waitersFor(interactionId: string): Socket[] {
    return this.#live().filter(
      ({ attachment }) =>
        attachment.role === 'waiter' && attachment.interactionId === interactionId,
    );
  }

  #replay(socket: Socket): void {
    const begun = this.#replaying.get(socket);
    if (begun === undefined) return;
    if (!isInTime(socket, this.#ports.now())) return this.#end([socket]);
    for (;;) {
      const sent = this.#replaying.get(socket);
      if (sent === undefined) return;
      if (sent.bytes >= begun.bytes + BYTES_AT_ONCE) break;
      const chunk = this.#ports.store.readLog(sent.upTo, FRAME_FIT);
      if (chunk === undefined) return this.#endReplay(socket);
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
    if (this.#isRootFull(socket.attachment))
      return this.#disconnect([socket], TOO_MUCH_UNREAD, 1013);
    this.#ports.later(0, () => this.#replay(socket));
  }

  get #mayBeUnread(): boolean {
    return this.#ports.sockets.closing !== undefined;
  }

  #endReplay(socket: Socket): void {
    this.#saveReplayedBytes(socket);
    this.#replaying.delete(socket);
  }

  /** Ends a replay early. A stream gets a `paused` frame, and the Worker ends it when its reader has everything. */
  #pause(socket: Socket): void {
    this.#saveReplayedBytes(socket);
    if (isHeld(socket.attachment)) return void trySend(socket, PAUSED_FRAME);
    this.#replaying.delete(socket);
    tryClose(socket, RECONNECT_CODE, 'reconnect with the last seq');
  }

  #saveReplayedBytes(socket: Socket): void {
    const { attachment } = socket;
    const bytes = this.#replaying.get(socket)?.bytes ?? 0;
    if (attachment.role !== 'subscriber' || bytes < NEGLIGIBLE_BYTES || !this.#mayBeUnread) return;
    tryAttach(socket, { ...attachment, replayed: bytes });
  }

  /** True if connections of this root, which may not have read them, hold as many replayed bytes as one root may. */
  #isRootFull(attachment: Attachment): boolean {
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

/** A negative cursor stands for so many of the last events. */
export function startAfter(after: number, head: number): number {
  return after < 0 ? Math.max(0, head + after) : after;
}

interface ReplayProgress {
  readonly upTo: number;
  readonly bytes: number;
}

/** An agent waits for it on this connection, or the connection has the credential that opened it. */
export function isAwaitedBy(attachment: Attachment, interaction: Interaction): boolean {
  if (attachment.role !== 'waiter')
    return attachment.caller.credential === interaction.openedBy.credential;
  const { agent, interactionId, openedAt, chain } = attachment;
  if (!agent) return false;
  const isOfBatch =
    openedAt === interaction.openedAt && chain[0] === interaction.openedBy.credential;
  return interactionId === interaction.interactionId || isOfBatch;
}

const TOO_MUCH_UNREAD = reject(
  'limit_reached',
  'Connections with this credential may hold too much of this session unread',
  { limit: 'rootReplayBytes', max: LIMITS.rootReplayBytes },
);

const CREDENTIAL_EXPIRED = reject('unauthenticated', 'This credential has expired or was revoked');

/** If the events of a command do not fit into one frame, each event gets its own. */
function framesOf(chunk: LogChunk): string[] {
  const fits = chunk.count === 1 || fitsInBytes(chunk.json, FRAME_FIT.maxBytes);
  if (fits) return [eventsFrame(chunk)];
  const events = JSON.parse(`[${chunk.json}]`) as unknown[];
  return events.map((event) => eventsFrame({ json: JSON.stringify(event) }));
}
