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
import type { Listener, Listening, WorkspacePorts } from './ports.ts';

const EXPIRED = reject('unauthenticated', 'This credential has expired or was revoked');
const SILENT = reject('invalid_request', 'The inbox takes no frames; answer in the session');

export class Listeners {
  readonly #ports: Pick<WorkspacePorts, 'listeners' | 'now'>;

  constructor(ports: Pick<WorkspacePorts, 'listeners' | 'now'>) {
    this.#ports = ports;
  }

  get isAnybodyThere(): boolean {
    return this.#ports.listeners.all().length > 0;
  }

  /** The refusal, or undefined: there is room for one more of these. */
  full({ held }: Listening): Rejection | undefined {
    const max = held ? LIMITS.waiters : LIMITS.sockets;
    const count = this.#live().filter(({ attachment }) => attachment.held === held).length;
    if (count < max) return undefined;
    const limit = held ? 'waiters' : 'sockets';
    return reject('limit_reached', 'Too many connections to this inbox', { limit, max });
  }

  welcome(listener: Listener, page: InboxPage): void {
    deliver(listener, JSON.stringify({ type: 'inbox', protocol: PROTOCOL, ...page }));
  }

  tell(change: Omit<InboxChangedFrame, 'type'>): void {
    const frame = JSON.stringify({ type: 'inbox_changed', ...change });
    for (const listener of this.#live()) deliver(listener, frame);
  }

  /** Whatever it is that a listener says: there is nothing here to say it to. */
  refuse(listener: Listener): void {
    turnAway(listener, SILENT, 1008);
  }

  revoke(credential: string): void {
    for (const listener of this.#ports.listeners.all()) {
      if (listener.attachment.chain.includes(credential)) turnAway(listener, EXPIRED, 4401);
    }
  }

  /** Those still allowed to hear; the others are sent away as they are found. */
  #live(): Listener[] {
    const now = this.#ports.now();
    return this.#ports.listeners.all().filter((listener) => {
      const { expiresAt } = listener.attachment;
      if (expiresAt === null || expiresAt > now) return true;
      turnAway(listener, EXPIRED, 4401);
      return false;
    });
  }
}

function turnAway(listener: Listener, rejection: Rejection, code: number): void {
  deliver(listener, errorFrame(rejection));
  try {
    listener.close(code, rejection.code);
  } catch {
    // It is closing already, which is what was wanted.
  }
}

/** To one that is gone it makes no difference; its close event will come, or already has. */
function deliver(listener: Listener, frame: string): void {
  try {
    listener.send(frame);
  } catch {}
}
