/** The part of a result that must be the same each time a command is repeated. */
import type { InteractionView } from '../../src/protocol/schema/interaction.ts';

export interface Body {
  readonly session?: { readonly id: string };
  readonly interaction?: InteractionView | undefined;
  readonly decision?: object | string;
  readonly routed?: string;
  readonly interactionId?: string;
  readonly messageId?: string;
  readonly cancelled?: number;
  readonly ok?: true;
  readonly head?: number;
}

export function normalizeBody(body: Body): string {
  const { session, interaction, decision, routed, interactionId, messageId, cancelled } = body;
  return JSON.stringify({
    session: session?.id,
    interaction: interaction?.interactionId,
    decision,
    routed,
    interactionId,
    messageId,
    cancelled,
  });
}
