/**
 * Waiting for an outcome: a listener of the session that hears one thing, as the Worker holds one.
 *
 * Nothing asks again and again. When the time is up the record is read once more.
 */
import { abortedError, closedError } from '../client/errors.ts';
import type { Patience } from '../client/transport.ts';
import type { Interaction } from '../protocol/types.ts';
import { mayAct } from '../protocol/caller.ts';
import { readInteraction } from '../session/reads.ts';
import { errorFrom, must } from './border.ts';
import { beforeAbort, type Desk } from './desk.ts';
import { NO_SESSION } from './host.ts';
import type { Ear } from './local-socket.ts';

export interface Wanted extends Patience {
  readonly sessionId: string;
  readonly interactionId: string;
  readonly waitMs: number;
}

/** An agent that waits for what it asked need not be able to read anything else. */
const MAY_LOOK = ['read', 'agent'] as const;

export async function outcomeOf(desk: Desk, wanted: Wanted): Promise<Interaction> {
  const { sessionId, interactionId, waitMs, signal } = wanted;
  if (signal?.aborted === true) throw abortedError(signal.reason);
  desk.admit(MAY_LOOK, sessionId, interactionId);
  const { caller } = desk.identity;
  const look = () =>
    desk.read<Interaction>(
      sessionId,
      (session) => readInteraction(session, interactionId, caller),
      MAY_LOOK,
    );
  if (waitMs === 0) return look();
  const { heard, leave } = listen(desk, wanted);
  try {
    return (await beforeAbort(heard, signal)) ?? look();
  } finally {
    leave();
  }
}

interface Listening {
  /** Undefined when it ended otherwise, or the time is up. */
  readonly heard: Promise<Interaction | undefined>;
  leave(): void;
}

function listen(desk: Desk, { sessionId, interactionId, waitMs }: Wanted): Listening {
  const { host, identity } = desk;
  const { promise: heard, resolve, reject } = Promise.withResolvers<Interaction | undefined>();
  const until = host.clock.now() + waitMs;
  const agent = mayAct(identity.caller, 'agent');
  const attachment = { role: 'waiter', interactionId, until, agent, chain: [] } as const;
  const request = { to: 'outcome', interactionId, caller: identity.caller, attachment } as const;
  const ear: Ear = {
    heard: (text) => resolve((JSON.parse(text) as { interaction?: Interaction }).interaction),
    ended: () => resolve(undefined),
  };
  try {
    const socket = must(host.find(sessionId)?.attach(request, ear) ?? NO_SESSION);
    const ends = [
      () => socket.leave(),
      host.clock.at(until, () => resolve(undefined)),
      host.keepAlive.hold(),
      desk.atClose(() => reject(closedError())),
    ];
    return { heard, leave: () => ends.forEach((end) => end()) };
  } catch (cause) {
    throw errorFrom(cause);
  }
}
