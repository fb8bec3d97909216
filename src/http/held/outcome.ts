/**
 * A long-poll: the stateless worker holds a hibernating socket to the session and waits on it.
 *
 * The session may be put to sleep meanwhile, with the request still open, and wakes only when there
 * is an outcome to send. When the time is up the record is read once more, so that an outcome whose
 * message was lost is still found.
 */
import type { Rejection } from '../../protocol/error.ts';
import type { InteractionView } from '../../protocol/interaction.ts';
import { mayAct } from '../../protocol/actor.ts';
import type { Identity, Read, SessionDoor } from '../ports.ts';

export interface Waiting {
  readonly session: SessionDoor;
  readonly interactionId: string;
  readonly identity: Identity;
  readonly waitMs: number;
  readonly now: number;
}

export async function waitForOutcome(waiting: Waiting): Promise<Read<InteractionView>> {
  const { session, interactionId, identity, waitMs, now } = waiting;
  const { caller } = identity;
  const response = await session.connect({
    to: 'outcome',
    interactionId,
    caller,
    attachment: {
      role: 'waiter',
      interactionId,
      until: now + waitMs,
      agent: mayAct(caller, 'agent'),
    },
  });
  const socket = response.webSocket;
  if (!socket) return (await response.json()) as Rejection;
  const settled = await settledOn(socket, waitMs);
  return settled === undefined
    ? session.interaction(interactionId, caller)
    : { ok: true, value: settled };
}

function settledOn(socket: WebSocket, waitMs: number): Promise<InteractionView | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), waitMs);
    const finish = (interaction: InteractionView | undefined) => {
      clearTimeout(timer);
      socket.close(1000, 'done');
      resolve(interaction);
    };
    socket.addEventListener('message', (message) => {
      const frame = JSON.parse(String(message.data)) as { interaction?: InteractionView };
      finish(frame.interaction);
    });
    socket.addEventListener('close', () => finish(undefined));
    socket.addEventListener('error', () => finish(undefined));
    socket.accept();
  });
}
