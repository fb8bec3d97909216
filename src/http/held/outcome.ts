/**
 * A long-poll: the stateless worker holds a hibernating socket to the session and waits on it.
 *
 * The session may be put to sleep meanwhile, with the request still open, and wakes only when there
 * is an outcome to send. When the time is up the record is read once more, so that an outcome whose
 * message was lost is still found.
 */
import type { InteractionView } from '../../protocol/interaction.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { mayAct } from '../../protocol/actor.ts';
import type { AskAndWait } from '../../session/attach.ts';
import type { Fate } from '../../session/result-text.ts';
import type { HeldSocket, Identity, Read, SessionDoor } from '../ports.ts';
import type { Rejection } from '../../protocol/error.ts';

export interface Wait {
  readonly session: SessionDoor;
  readonly identity: Identity;
  readonly waitMs: number;
  readonly now: number;
}

export async function waitForOutcome(
  interactionId: string,
  wait: Wait,
): Promise<Read<InteractionView>> {
  const { session, identity } = wait;
  const { caller } = identity;
  const until = endOf(wait);
  const agent = mayAct(caller, 'agent');
  const attachment = { role: 'waiter', interactionId, until, agent } as const;
  const joined = await session.connect({ to: 'outcome', interactionId, caller, attachment });
  return joined.ok ? outcomeOn(joined.socket, interactionId, wait) : joined;
}

type Outcome = Fate & {
  readonly ok: true;
  /** A rule or the mode may decide without asking anybody. */
  readonly body: { readonly interaction: InteractionView } | { readonly decision: JsonObject };
};

/** Asking and waiting are one call: the session is on the way of a question only once. */
export async function askAndWait(
  question: Pick<AskAndWait, 'command' | 'context'>,
  wait: Wait,
): Promise<Outcome | Rejection> {
  const isAgent = mayAct(wait.identity.caller, 'agent');
  const asked = await wait.session.askAndWait({
    to: 'ask',
    ...question,
    until: endOf(wait),
    isAgent,
  });
  if (!asked.ok) return asked;
  const { isNew, replayed } = asked;
  if ('json' in asked) {
    return { ok: true, isNew, replayed, body: JSON.parse(asked.json) as Outcome['body'] };
  }
  const read = await outcomeOn(asked.socket, asked.interactionId, wait);
  return read.ok ? { ok: true, isNew, replayed, body: { interaction: read.value } } : read;
}

function endOf({ identity, waitMs, now }: Wait): number {
  return Math.min(now + waitMs, identity.expiresAt ?? Number.MAX_SAFE_INTEGER);
}

async function outcomeOn(
  socket: HeldSocket,
  interactionId: string,
  { session, identity, waitMs }: Wait,
): Promise<Read<InteractionView>> {
  const settled = await settledOn(socket, waitMs);
  return settled === undefined
    ? session.interaction(interactionId, identity.caller)
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
