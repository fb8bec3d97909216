/**
 * A long-poll: the stateless worker holds a hibernating socket to the session and waits on it.
 *
 * The session may be put to sleep meanwhile, with the request still open, and wakes only when there
 * is an outcome to send. When the time is up the record is read once more, so that an outcome whose
 * message was lost is still found.
 */
import type { InteractionView } from '../../protocol/interaction.ts';
import { mayAct } from '../../protocol/actor.ts';
import type { HeldSocket, Identity, Read, SessionDoor } from '../ports.ts';

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
  const joined = await session.connect({
    to: 'outcome',
    interactionId,
    caller,
    attachment: {
      role: 'waiter',
      interactionId,
      until: Math.min(now + waitMs, identity.expiresAt ?? Number.MAX_SAFE_INTEGER),
      agent: mayAct(caller, 'agent'),
    },
  });
  if (!joined.ok) return joined;
  const settled = await settledOn(joined.socket, waitMs);
  return settled === undefined
    ? session.interaction(interactionId, caller)
    : { ok: true, value: settled };
}

function settledOn(socket: HeldSocket, waitMs: number): Promise<InteractionView | undefined> {
  return new Promise((resolve) => {
    const finish = (interaction: InteractionView | undefined) => {
      clearTimeout(timer);
      socket.close(1000, 'done');
      resolve(interaction);
    };
    const timer = setTimeout(() => finish(undefined), waitMs);
    socket.hold(
      (text) => finish((JSON.parse(text) as { interaction?: InteractionView }).interaction),
      () => finish(undefined),
    );
  });
}
