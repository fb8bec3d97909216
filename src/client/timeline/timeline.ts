/**
 * The timeline of a session: its log and the text being written, as turns, containers and blocks.
 *
 * 1. Folding a log in any pieces, or pieces of it twice, gives the same timeline (TL-1).
 * 2. A timeline never changes; what an event did not touch is the same object in the next one.
 * 3. No event makes it throw. It does not ask for a log without gaps; the replica does.
 */
import type { Delta } from '../subscription.ts';
import type { SessionEvent } from '../../protocol/types.ts';
import type { Turn } from './block.ts';
import {
  type TimelineDraft,
  draftOf,
  type Memory,
  addText,
  ownContainer,
} from './timeline-draft.ts';
import { foldEvent } from './fold-events.ts';
import { placeFor } from './block-position.ts';

export interface Timeline {
  /** The `seq` of the last event that was folded. */
  readonly head: number;
  readonly turns: readonly Turn[];
  /** For the next fold and nobody else. */
  readonly memory: Memory;
}

export function emptyTimeline(): Timeline {
  const memory: Memory = {
    turns: [],
    running: [],
    unnamed: -1,
    waiting: new Set(),
    early: new Map(),
    previews: [],
    index: new Map(),
  };
  return { head: 0, turns: memory.turns, memory };
}

/** Events that were folded before are passed over; with nothing new it is the same timeline. */
export function foldEvents(timeline: Timeline, events: readonly SessionEvent[]): Timeline {
  let { head } = timeline;
  let draft: TimelineDraft | undefined;
  for (const event of events) {
    if (!Number.isSafeInteger(event?.seq) || event.seq <= head) continue;
    head = event.seq;
    draft ??= draftOf(timeline.memory);
    foldEvent(draft, event);
  }
  if (draft === undefined) return timeline;
  const { fresh: _fresh, ...memory } = draft;
  return shown(head, memory);
}

export function foldDelta(timeline: Timeline, delta: Delta): Timeline {
  const { head, memory } = timeline;
  return shown(head, { ...memory, previews: withDelta(memory.previews, delta) });
}

/** After a lost connection: nobody says again what was streamed meanwhile. */
export function withoutPreviews(timeline: Timeline): Timeline {
  const { head, memory } = timeline;
  return memory.previews.length === 0 ? timeline : shown(head, { ...memory, previews: [] });
}

function shown(head: number, memory: Memory): Timeline {
  return { head, turns: withPreviews(memory, head), memory };
}

/**
 * Text in the making, laid over the turns and never folded into them: a stream that breaks off, or is
 * tried again, leaves no trace, and a replay shows the same as what was watched (LOG-5).
 *
 * A preview has the id that the stored text of its container will have, and stands where that one
 * will: when it is replaced, a view that keeps elements by id keeps the element.
 */
function withDelta(previews: readonly Delta[], delta: Delta): readonly Delta[] {
  const { turnId, responseId, text } = delta;
  const at = previews.findIndex((one) => one.turnId === turnId && one.responseId === responseId);
  const before = previews[at];
  return before === undefined
    ? [...previews, delta]
    : previews.with(at, { ...before, text: before.text + text });
}

/** The turns as they are shown: those that were logged, and what is being written at their ends. */
function withPreviews(memory: Memory, head: number): readonly Turn[] {
  if (memory.previews.length === 0) return memory.turns;
  // Thrown away afterwards; what it leaves in the index are hints that lead nowhere.
  const draft = draftOf(memory);
  for (const [number, { text, ...names }] of memory.previews.entries()) {
    const place = placeFor(draft, { ...names, seq: head + 1 + number });
    addText(ownContainer(draft, place), { text, isStreaming: true });
  }
  return draft.turns;
}
