import { describeDuration } from '../../protocol/duration.ts';
import type { Interaction } from '../../protocol/schema/interaction.ts';

/** The time a person had to answer, extension included. */
export function formatAnswerTime({ openedAt, expiresAt }: Interaction): string {
  return describeDuration((expiresAt ?? openedAt) - openedAt);
}
