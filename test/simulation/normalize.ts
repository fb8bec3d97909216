/** The part of a result that must be the same each time a command is repeated. */
import type { InteractionView } from '../../src/protocol/schema/interaction.ts';

/** What one opening of a batch got. */
export type OpeningResult =
  | { readonly ok: true; readonly interaction?: InteractionView; readonly decision?: object }
  | { readonly ok: false; readonly error: { readonly code: string } };

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
  readonly results?: readonly OpeningResult[];
}

export function normalizeBody(body: Body): string {
  const { session, interaction, decision, routed, interactionId, messageId, cancelled, results } =
    body;
  return JSON.stringify({
    session: session?.id,
    interaction: interaction?.interactionId,
    decision,
    routed,
    interactionId,
    messageId,
    cancelled,
    results: results?.map((one) =>
      one.ok ? (one.interaction?.interactionId ?? one.decision) : one.error.code,
    ),
  });
}
