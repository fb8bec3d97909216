/** The summaries of a conversation that can still be taken back: the events of them, oldest first. */
import { RESTORABLE_SUMMARIES } from './limits.ts';
import type { EventOf } from './schema/event.ts';

export function foldSummaries(
  summaries: readonly number[] = [],
  { type, seq, payload }: EventOf<'conversation_compacted' | 'conversation_restored'>,
): number[] {
  return type === 'conversation_compacted'
    ? [...summaries, seq].slice(-RESTORABLE_SUMMARIES)
    : summaries.filter((one) => one < payload.compactedSeq);
}
