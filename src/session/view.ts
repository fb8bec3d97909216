/** What a session shows of itself to a reader and to a socket. */
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
