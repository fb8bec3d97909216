/** What a command's sender, a reader or a socket is shown of a session. */
import type { Rejection } from '../protocol/errors.ts';
import type { CommandResult, HandleResult } from './session.ts';
import type { Reply } from '../core/decision.ts';
import type { Kinds } from '../core/kinds/kind.ts';
import { kindOf } from '../core/kinds/find-kind.ts';
import { openInOrder, type SessionState, viewSession } from '../core/state.ts';
import type { Interaction, InteractionView } from '../protocol/schema/interaction.ts';
import type { Snapshot } from '../protocol/types.ts';

/** Settled: with what the agent is told. Open: with whether an agent is listening for it. */
export function viewInteraction(
  kinds: Kinds,
  interaction: Interaction,
  agentListens: (interaction: Interaction) => boolean,
): InteractionView {
  return interaction.status === 'settled'
    ? { ...interaction, reply: kindOf(kinds, interaction).reply(interaction) }
    : { ...interaction, agentWaiting: agentListens(interaction) };
}

export function snapshotOf(
  state: SessionState,
  kinds: Kinds,
  agentListens: (interaction: Interaction) => boolean,
  now: number,
): Snapshot {
  return {
    session: viewSession(state),
    head: state.head,
    open: openInOrder(state).map((one) => viewInteraction(kinds, one, agentListens)),
    now,
  };
}

/** The body a sender gets for its command; `look` finds the record a reply names. */
export function commandBody(
  reply: Reply,
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
    case 'cancelled':
      return { cancelled: reply.count };
    case 'done':
      return { ok: true, head: state.head };
  }
}

/** Whether the command made anything that was not there before. */
export interface ResultMeta {
  readonly replayed: boolean;
  /** False for what was there already, or was decided without asking a person. */
  readonly isNew: boolean;
}

/** The result of a command as it leaves the session: its body written out once, as response text. */
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
