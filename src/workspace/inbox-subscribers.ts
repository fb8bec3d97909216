/**
 * Everyone who has the inbox open: told the present when they come, and every change after it.
 *
 * 1. A change is said after it is written, in the order in which it was heard from the sessions.
 * 2. Nobody hears a change before its first page, because both are said in one breath with what they
 *    are about.
 * 3. A listener that is gone or no longer allowed never keeps the others from hearing.
 *
 * Listening holds nothing in memory: the sockets hibernate, and there is no timer.
 */
import { type Rejection, reject } from '../protocol/errors.ts';
import { errorFrame, PROTOCOL } from '../protocol/frames.ts';
import type { InboxChangedFrame } from '../protocol/schema/inbox-frame.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { InboxPage } from '../protocol/types.ts';
import type { InboxSubscriber, InboxAttachment, WorkspacePorts } from './ports.ts';

const CREDENTIAL_ENDED = reject('unauthenticated', 'This credential has expired or was revoked');
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

  /** The refusal, or undefined: there is room for one more of these. */
  findCapacityRejection({ held }: InboxAttachment): Rejection | undefined {
    const max = held ? LIMITS.waiters : LIMITS.sockets;
    const count = this.#live().filter(({ attachment }) => attachment.held === held).length;
    if (count < max) return undefined;
    const limit = held ? 'waiters' : 'sockets';
    return reject('limit_reached', 'Too many connections to this inbox', { limit, max });
  }

  sendFirstPage(listener: InboxSubscriber, page: InboxPage): void {
    trySendFrame(listener, JSON.stringify({ type: 'inbox', protocol: PROTOCOL, ...page }));
  }

  sendChange(change: Omit<InboxChangedFrame, 'type'>): void {
    const frame = JSON.stringify({ type: 'inbox_changed', ...change });
    for (const listener of this.#live()) trySendFrame(listener, frame);
  }

  /** Whatever it is that a listener says: there is nothing here to say it to. */
  rejectFrame(listener: InboxSubscriber): void {
    rejectAndClose(listener, TAKES_NO_FRAMES, 1008);
  }

  closeRevoked(credential: string): void {
    for (const listener of this.#ports.subscribers.all()) {
      if (listener.attachment.chain.includes(credential))
        rejectAndClose(listener, CREDENTIAL_ENDED, 4401);
    }
  }

  /** Those still allowed to hear; the others are sent away as they are found. */
  #live(): InboxSubscriber[] {
    const now = this.#ports.now();
    return this.#ports.subscribers.all().filter((listener) => {
      const { expiresAt } = listener.attachment;
      if (expiresAt === null || expiresAt > now) return true;
      rejectAndClose(listener, CREDENTIAL_ENDED, 4401);
      return false;
    });
  }
}

function rejectAndClose(listener: InboxSubscriber, rejection: Rejection, code: number): void {
  trySendFrame(listener, errorFrame(rejection));
  try {
    listener.close(code, rejection.code);
  } catch {
    // It is closing already, which is what was wanted.
  }
}

/** To one that is gone it makes no difference; its close event will come, or already has. */
function trySendFrame(listener: InboxSubscriber, frame: string): void {
  try {
    listener.send(frame);
  } catch {}
}
