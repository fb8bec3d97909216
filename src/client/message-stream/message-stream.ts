/**
 * Sends a message, and yields what follows from it on demand.
 *
 * The head of the log is read before the message is sent, so no event is missed, however late the caller begins to
 * iterate.
 */
import { ClientError } from '../errors.ts';
import type { messageFollower } from './message-follower.ts';
import type { Subscriber, Subscription, MessageStream, Routed } from '../transport.ts';
import type { Interaction, Snapshot } from '../../protocol/types.ts';

/** The parts of a transport that a message stream needs, bound to one session. */
export interface MessagePorts {
  snapshot(): Promise<Snapshot>;
  send(): Promise<Routed>;
  /** After `send`: an earlier request with the same key sent the message, and its consequences are in the log. */
  isOld?(): boolean;
  subscribe(subscriber: Subscriber, after: number): Pick<Subscription, 'close'>;
  interaction(interactionId: string): Promise<Interaction>;
  /** Loads the follower; a page that shows a timeline never needs it. */
  follower(): Promise<typeof messageFollower>;
}

export function messageStream(
  ports: MessagePorts,
  text: string,
  signal?: AbortSignal,
): MessageStream {
  const before = ports.snapshot();
  // A caller with `send` and without `read` can still send; only the iteration fails.
  const routed = before
    .catch((cause: unknown) => {
      if (!(cause instanceof ClientError && cause.code === 'forbidden')) throw cause;
    })
    .then(() => ports.send());
  // The caller may never look at either promise.
  before.catch(() => undefined);
  routed.catch(() => undefined);
  const message = { before, routed, text, signal };
  return {
    routed,
    [Symbol.asyncIterator]() {
      const follower = ports.follower().then((follow) => follow(ports, message));
      // A caller that leaves before the follower is loaded never looks at this promise.
      follower.catch(() => undefined);
      return {
        next: async () => (await follower).next(),
        return: async () => (await follower).return(),
      };
    },
  };
}
