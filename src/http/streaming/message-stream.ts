/**
 * The turn that a message leads to, as server-sent events (STR-1): the projection of log and deltas that
 * the client library makes, for clients without the library.
 */
import { messageFollower } from '../../client/message-stream/message-follower.ts';
import type { Subscriber, Subscription, Routed } from '../../client/transport.ts';
import type { Interaction, SessionEvent, Snapshot } from '../../protocol/types.ts';
import type { ClientSocket } from '../stubs.ts';
import { createSseResponse, formatSseEvent } from './sse-response.ts';

export interface SentMessage {
  readonly text: string;
  /** The session before the message was sent. */
  readonly before: Snapshot;
  readonly routed: Routed;
  /** A repeat with the same key: the events that followed are in the log. */
  readonly isOld: boolean;
  /** Has received all frames since that snapshot. */
  readonly socket: ClientSocket;
  readonly interaction: (interactionId: string) => Promise<Interaction>;
}

export function createMessageStream({
  socket,
  isOld,
  interaction,
  ...sent
}: SentMessage): Response {
  return createSseResponse(({ write, end }) => {
    const follower = messageFollower(
      {
        interaction,
        isOld: () => isOld,
        subscribe: (subscriber) => subscribeToSocket(socket, subscriber),
      },
      {
        before: Promise.resolve(sent.before),
        routed: Promise.resolve(sent.routed),
        text: sent.text,
        signal: undefined,
      },
    );
    const forward = async () => {
      for (;;) {
        const { done, value } = await follower.next();
        if (done === true) break;
        const { type, ...rest } = value;
        write(formatSseEvent(type, JSON.stringify(rest)));
      }
    };
    const broke = () => write(formatSseEvent('error', JSON.stringify(MESSAGES_BROKEN)));
    void forward()
      .catch(broke)
      .finally(() => {
        socket.close(1000, 'done');
        end();
      });
    return () => void follower.return();
  });
}

const MESSAGES_BROKEN = { message: 'The stream failed; the turn goes on, and the log has it.' };

type LogFrame =
  | { readonly type: 'events'; readonly events: SessionEvent[] }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'welcome' | 'error' | 'paused' };

function subscribeToSocket(
  socket: ClientSocket,
  { events, delta, status }: Subscriber,
): Pick<Subscription, 'close'> {
  const over = { type: 'closed' } as const;
  socket.listen(
    (text) => {
      const frame = JSON.parse(text) as LogFrame;
      if (frame.type === 'events') events?.(frame.events);
      else if (frame.type === 'delta') delta?.(frame);
      else if (frame.type === 'paused') status?.(over);
    },
    () => status?.(over),
  );
  return { close: () => socket.close(1000, 'done') };
}
