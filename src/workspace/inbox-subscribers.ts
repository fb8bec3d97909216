/**
 * The subscribers of the inbox: each receives the first page, and then every change.
 *
 * 1. A change is sent after it is written, in the order in which the reports were applied.
 * 2. No subscriber receives a change before its first page: reading and sending both happen without an await between.
 * 3. A subscriber that is gone, or no longer allowed, does not keep the other subscribers from receiving a change.
 *
 * A subscriber keeps nothing in memory: its socket hibernates, and there is no timer.
 */
import { type ConnectionPlace, rejectConnection } from '../core/connection-limits.ts';
import { type Rejection, reject } from '../protocol/errors.ts';
import { errorFrame, PROTOCOL } from '../protocol/frames.ts';
import type { InboxChangedFrame } from '../protocol/schema/frame.ts';
import type { InboxPage } from '../protocol/types.ts';
import type { InboxSocket, InboxAttachment, WorkspacePorts } from './ports.ts';

const INBOX_CREDENTIAL_ENDED = reject(
  'unauthenticated',
  'This credential has expired or was revoked',
);
const TAKES_NO_FRAMES = reject(
  'invalid_request',
  'The inbox takes no frames; answer in the session',
);

export class InboxSubscribers {
  readonly #ports: Pick<WorkspacePorts, 'subscribers' | 'now'>;

  constructor(ports: Pick<WorkspacePorts, 'subscribers' | 'now'>) {
    this.#ports = ports;
  }

  get hasAny(): boolean {
    return this.#ports.subscribers.all().length > 0;
  }

  /** Undefined when there is a place for this subscriber. */
  findCapacityRejection(attachment: InboxAttachment): Rejection | undefined {
    const present = this.#live().map((subscriber) => inboxPlaceOf(subscriber.attachment));
    return rejectConnection(inboxPlaceOf(attachment), present, 'inbox');
  }

  sendFirstPage(subscriber: InboxSocket, page: InboxPage): void {
    trySendFrame(subscriber, JSON.stringify({ type: 'inbox', protocol: PROTOCOL, ...page }));
  }

  sendChange(change: Omit<InboxChangedFrame, 'type'>): void {
    const frame = JSON.stringify({ type: 'inbox_changed', ...change });
    for (const subscriber of this.#live()) trySendFrame(subscriber, frame);
  }

  /** The inbox takes no frames, whatever the frame holds. */
  rejectFrame(subscriber: InboxSocket): void {
    rejectAndClose(subscriber, TAKES_NO_FRAMES, 1008);
  }

  closeRevoked(credential: string): void {
    for (const subscriber of this.#ports.subscribers.all()) {
      if (subscriber.attachment.chain.includes(credential))
        rejectAndClose(subscriber, INBOX_CREDENTIAL_ENDED, 4401);
    }
  }

  /** The subscribers whose credentials are valid; closes every other one that it finds. */
  #live(): InboxSocket[] {
    const now = this.#ports.now();
    return this.#ports.subscribers.all().filter((subscriber) => {
      const { expiresAt } = subscriber.attachment;
      if (expiresAt === null || expiresAt > now) return true;
      rejectAndClose(subscriber, INBOX_CREDENTIAL_ENDED, 4401);
      return false;
    });
  }
}

function inboxPlaceOf({ held, root, takesPart }: InboxAttachment): ConnectionPlace {
  return { kind: held ? 'stream' : 'socket', root, takesPart };
}

function rejectAndClose(subscriber: InboxSocket, rejection: Rejection, code: number): void {
  trySendFrame(subscriber, errorFrame(rejection));
  try {
    subscriber.close(code, rejection.code);
  } catch {
    // The socket is closing already.
  }
}

/** A subscriber that is gone gets no frame; its close event has come or will come. */
function trySendFrame(subscriber: InboxSocket, frame: string): void {
  try {
    subscriber.send(frame);
  } catch {}
}
