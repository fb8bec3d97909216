/** What a session shows to the sender of a command, to a reader and to a socket. */
import type { Rejection } from '../protocol/errors.ts';
import type { CommandResult, HandleResult } from './session.ts';
import type { CommandReply } from '../core/decision.ts';
import { type KindRegistry, findKind } from '../core/kinds/kind.ts';
import { listOpenInteractions, type SessionState, viewSession } from '../core/state.ts';
import type { Interaction, InteractionView } from '../protocol/schema/interaction.ts';
import type { Snapshot } from '../protocol/types.ts';

/** A settled record has the reply for its agent; an open one says whether an agent waits for it. */
export function viewInteraction(
  kinds: KindRegistry,
  interaction: Interaction,
  agentListens: (interaction: Interaction) => boolean,
): InteractionView {
  return interaction.status === 'settled'
    ? { ...interaction, reply: findKind(kinds, interaction).reply(interaction) }
    : { ...interaction, agentWaiting: agentListens(interaction) };
}

export function snapshotOf(
  state: SessionState,
  kinds: KindRegistry,
  agentListens: (interaction: Interaction) => boolean,
  now: number,
): Snapshot {
  return {
    session: viewSession(state),
    head: state.head,
    open: listOpenInteractions(state).map((one) => viewInteraction(kinds, one, agentListens)),
    now,
  };
}

/** The response body of a command; `look` finds the record that a reply names. */
export function commandBody(
  reply: CommandReply,
  state: SessionState,
  look: (interactionId: string) => InteractionView | undefined,
) {
  switch (reply.type) {
    case 'session':
      return { session: viewSession(state) };
    case 'interaction':
      return { interaction: look(reply.interactionId) };
    case 'gate':
      return { decision: reply.decision };
    case 'answered-by-text':
      return {
        routed: 'interaction',
        interactionId: reply.interactionId,
        message: 'Response received.',
        ...(reply.adjust && { decision: 'adjust' }),
      };
    case 'turn': {
      const { type: routed, ...ids } = reply;
      return { routed, ...ids };
    }
    case 'retried':
      return { turnId: reply.turnId };
    case 'queued':
      return { routed: 'queued', messageId: reply.messageId };
    case 'history': {
      const { type: _, ...extent } = reply;
      return extent;
    }
    case 'cancelled':
      return { cancelled: reply.count };
    case 'done':
      return { ok: true, head: state.head };
  }
}

/** How a result came about. */
export interface ResultMeta {
  readonly replayed: boolean;
  /** False if the interaction existed before, or if the gate decided without a person. */
  readonly isNew: boolean;
}

/** The result of a command as it leaves the session, with its body as response text. */
export interface ResultText extends ResultMeta {
  readonly ok: true;
  readonly json: string;
}

export function readResultMeta({
  reply,
  replayed,
}: Pick<CommandResult, 'reply' | 'replayed'>): ResultMeta {
  const wasThere = reply.type === 'interaction' && reply.created === false;
  return { isNew: reply.type !== 'gate' && !wasThere, replayed };
}

export function writeResult(handled: HandleResult): ResultText | Rejection {
  if (!handled.ok) return handled;
  return { ok: true, json: JSON.stringify(handled.body), ...readResultMeta(handled) };
}
