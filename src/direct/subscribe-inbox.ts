/** Following the inbox of this process: the same frames as on a socket, and never a reconnect. */
import type { ClientError } from '../client/errors.ts';
import type { InboxSubscriber, InboxSubscription } from '../client/inbox-subscription.ts';
import type { ConnectionStatus } from '../client/subscription.ts';
import type { InboxFrame } from '../protocol/schema/inbox-frame.ts';
import type { Rejection } from '../protocol/errors.ts';
import { errorFrom, errorOf, must } from './border.ts';
import type { Desk } from './desk.ts';

const LISTENING = { chain: [], expiresAt: null, held: false } as const;

export function subscribeInbox(desk: Desk, subscriber: InboxSubscriber): InboxSubscription {
  desk.mustBeOpen();
  const { host } = desk;
  const letGo = host.keepAlive.hold();
  let status: ConnectionStatus = { type: 'connecting' };
  let refusal: ClientError | undefined;
  let leave = () => {};

  const call = (name: string, work: () => void) => {
    try {
      work();
    } catch (cause) {
      host.warn(`A subscriber of the inbox failed in \`${name}\``, cause);
    }
  };
  const become = (next: ConnectionStatus) => {
    if (status.type === 'closed') return;
    status = next;
    call('status', () => subscriber.status?.(next));
  };
  const end = (error?: ClientError) => {
    if (status.type === 'closed') return;
    leave();
    letGo();
    forget();
    become({ type: 'closed', ...(error !== undefined && { error }) });
  };
  const hear = (frame: InboxFrame) => {
    if (frame.type === 'error') {
      refusal = errorOf(frame.error as Rejection);
    } else if (frame.type === 'inbox') {
      const { type: _type, protocol: _protocol, next, ...said } = frame;
      const page = { ...said, ...(next !== undefined && { next }) };
      call('inbox', () => subscriber.inbox?.(page));
      become({ type: 'live' });
    } else {
      const { type: _type, ...change } = frame;
      call('changed', () => subscriber.changed?.(change));
    }
  };
  const join = async () => {
    desk.admit(['read'], null);
    // What was done before somebody began to look is part of what they see first.
    await host.caughtUp();
    if (status.type === 'closed') return;
    const socket = must(
      host.listen(LISTENING, {
        heard: (text) => hear(JSON.parse(text) as InboxFrame),
        ended: () => end(refusal),
      }),
    );
    leave = () => socket.leave();
  };
  const forget = desk.atClose(() => end());
  // Not at once: whoever subscribes does not have the subscription yet.
  queueMicrotask(() => void join().catch((cause: unknown) => end(errorFrom(cause))));
  return {
    get status() {
      return status;
    },
    /** There is no network to lose. */
    reconnect() {},
    close: () => end(),
  };
}
