/**
 * A message is sent, and what follows from it can be asked for: the one way, over whatever transport.
 *
 * The head is taken before the message is sent, so that nothing of what follows can be missed, however
 * late somebody asks.
 */
import { ClientError } from '../errors.ts';
import type { messageFollower } from './message-follower.ts';
import type { Subscriber, Subscription } from '../subscription.ts';
import type { MessageStream, Routed } from '../transport.ts';
import type { Interaction, Snapshot } from '../../protocol/types.ts';

/** What of a transport it needs, for one session. */
export interface MessagePorts {
  snapshot(): Promise<Snapshot>;
  send(): Promise<Routed>;
  /** Once sent: it was long ago, with the same key, and what followed from it is in the log. */
  isOld?(): boolean;
  subscribe(subscriber: Subscriber, after: number): Subscription;
  interaction(interactionId: string): Promise<Interaction>;
  /** What follows a message; a page that shows a timeline never asks, and need not have loaded it. */
  follower(): Promise<typeof messageFollower>;
}

export function messageStream(
  ports: MessagePorts,
  text: string,
  signal?: AbortSignal,
): MessageStream {
  const before = ports.snapshot();
  // Whoever may send and not read can still send; only following fails then.
  const routed = before
    .catch((cause: unknown) => {
      if (!(cause instanceof ClientError && cause.code === 'forbidden')) throw cause;
    })
    .then(() => ports.send());
  // Either may be looked at by nobody.
  before.catch(() => undefined);
  routed.catch(() => undefined);
  const message = { before, routed, text, signal };
  return {
    routed,
    [Symbol.asyncIterator]() {
      const follower = ports.follower().then((follow) => follow(ports, message));
      // Whoever leaves before it is there asks nothing of it.
      follower.catch(() => undefined);
      return {
        next: async () => (await follower).next(),
        return: async () => (await follower).return(),
      };
    },
  };
}
