/**
 * The people who look at a session just now, and who of them is sent what.
 *
 * That a person looks is kept in the attachment of their socket alone: nothing is written, no timer runs, and a session
 * that left memory finds it there again. Only those who look receive it, and a person who looks alone receives nothing.
 */
import type { LookFrame, Presence } from '../protocol/schema/frame.ts';
import { isInTime } from './attachment.ts';
import { presenceFrame } from './frames-out.ts';
import type { Socket, Sockets } from './ports.ts';
import { contentToSend, countOf, presenceOf } from './presence.ts';
import { tryAttach, trySend } from './try-send.ts';

interface OnlookerPorts {
  readonly sockets: Sockets;
  readonly now: () => number;
}

export class Onlookers {
  readonly #ports: OnlookerPorts;

  constructor(ports: OnlookerPorts) {
    this.#ports = ports;
  }

  /** The person of this socket looks at the session, or at one of its requests, or no longer. */
  look(socket: Socket, { looking, interactionId }: LookFrame): void {
    const { attachment } = socket;
    if (attachment.role !== 'subscriber') return;
    const before = this.#presence();
    const now = this.#ports.now();
    const { looking: last, ...others } = attachment;
    const at = interactionId !== undefined && { interactionId };
    const next = looking && { looking: { since: last?.since ?? now, changedAt: now, ...at } };
    socket.attach({ ...others, ...next });
    this.#send(before, last === undefined ? socket : undefined);
  }

  /** These sockets are closed, by the session or by the client. */
  leave(sockets: readonly Socket[]): void {
    const looking = sockets.filter(isLooking);
    if (looking.length === 0) return;
    const before = this.#presence(looking);
    for (const socket of looking) {
      const { attachment } = socket;
      if (attachment.role !== 'subscriber') continue;
      const { looking: _looking, ...others } = attachment;
      tryAttach(socket, others);
    }
    this.#send(before);
  }

  /** An expired socket is closed where the session sends next; until then it counts as no onlooker. */
  #all(): Socket[] {
    const now = this.#ports.now();
    return this.#ports.sockets.all().filter((one) => isLooking(one) && isInTime(one, now));
  }

  #presence(others: readonly Socket[] = []): Presence {
    const all = new Set([...this.#all(), ...others]);
    return presenceOf([...all].map(({ attachment }) => attachment));
  }

  /** Sends to all who look what has changed for them, and to the newcomer what the others know. */
  #send(before: Presence, newcomer?: Socket): void {
    const after = this.#presence();
    if (countOf(before) <= 1 && countOf(after) <= 1) return;
    const hasChanged = contentToSend(after) !== contentToSend(before);
    const frame = presenceFrame(after);
    for (const socket of this.#all()) {
      if (hasChanged || socket === newcomer) trySend(socket, frame);
    }
  }
}

function isLooking({ attachment }: Socket): boolean {
  return attachment.role === 'subscriber' && attachment.looking !== undefined;
}
