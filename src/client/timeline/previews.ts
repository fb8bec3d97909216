/**
 * Text in the making, laid over the turns and never folded into them: a stream that breaks off, or is
 * tried again, leaves no trace, and a replay shows the same as what was watched (LOG-5).
 *
 * A preview has the id that the stored text of its container will have, and stands where that one
 * will: when it is replaced, a view that keeps elements by id keeps the element.
 */
import type { Delta } from '../subscription.ts';
import type { Turn } from './block.ts';
import { addText, draftOf, type Memory, ownContainer } from './draft.ts';
import { placeFor } from './block-position.ts';

export function withDelta(previews: readonly Delta[], delta: Delta): readonly Delta[] {
  const { turnId, responseId, text } = delta;
  const at = previews.findIndex((one) => one.turnId === turnId && one.responseId === responseId);
  const before = previews[at];
  return before === undefined
    ? [...previews, delta]
    : previews.with(at, { ...before, text: before.text + text });
}

/** The turns as they are shown: those that were logged, and what is being written at their ends. */
export function withPreviews(memory: Memory, head: number): readonly Turn[] {
  if (memory.previews.length === 0) return memory.turns;
  // Thrown away afterwards; what it leaves in the index are hints that lead nowhere.
  const draft = draftOf(memory);
  for (const [number, { text, ...names }] of memory.previews.entries()) {
    const place = placeFor(draft, { ...names, seq: head + 1 + number });
    addText(ownContainer(draft, place), { text, isStreaming: true });
  }
  return draft.turns;
}
