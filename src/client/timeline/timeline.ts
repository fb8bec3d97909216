/**
 * The timeline of a session: its log and the streamed text, as turns, containers and blocks.
 *
 * 1. Folding a log in any pieces, or a piece of it twice, gives the same timeline (TL-1).
 * 2. A timeline is immutable; parts that an event did not touch are the same objects in the next one.
 * 3. No event makes it throw. It accepts a log with gaps; only the replica checks for them.
 */
import type { Delta } from '../transport.ts';
import type { SessionEvent } from '../../protocol/types.ts';
import type { Turn } from './block.ts';
import {
  type TimelineDraft,
  timelineDraftOf,
  type TimelineMemory,
  addText,
  ownContainer,
} from './timeline-draft.ts';
import { foldEvent } from './fold-events.ts';
import { positionFor } from './block-position.ts';

export interface Timeline {
  /** The `seq` of the last event that was folded. */
  readonly head: number;
  readonly turns: readonly Turn[];
  /** Private to the next fold. */
  readonly memory: TimelineMemory;
}

export function emptyTimeline(): Timeline {
  const memory: TimelineMemory = {
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

/** Skips events that were folded before; without new events the result is the same timeline. */
export function foldEvents(timeline: Timeline, events: readonly SessionEvent[]): Timeline {
  let { head } = timeline;
  let draft: TimelineDraft | undefined;
  for (const event of events) {
    if (!Number.isSafeInteger(event?.seq) || event.seq <= head) continue;
    head = event.seq;
    draft ??= timelineDraftOf(timeline.memory);
    foldEvent(draft, event);
  }
  if (draft === undefined) return timeline;
  const { fresh: _fresh, ...memory } = draft;
  return makeTimeline(head, memory);
}

export function foldDelta(timeline: Timeline, delta: Delta): Timeline {
  const { head, memory } = timeline;
  return makeTimeline(head, { ...memory, previews: withDelta(memory.previews, delta) });
}

/** For after a lost connection: the server does not repeat streamed text. */
export function withoutPreviews(timeline: Timeline): Timeline {
  const { head, memory } = timeline;
  return memory.previews.length === 0 ? timeline : makeTimeline(head, { ...memory, previews: [] });
}

function makeTimeline(head: number, memory: TimelineMemory): Timeline {
  return { head, turns: withPreviews(memory, head), memory };
}

/**
 * Previews of streamed text lie over the turns and are never folded into them: a stream that breaks off or starts again
 * leaves no trace, and a replay shows the same as the live view (LOG-5).
 *
 * A preview has the id and the position of the stored text that will replace it, so a view that keeps elements by id keeps
 * the element.
 */
function withDelta(previews: readonly Delta[], delta: Delta): readonly Delta[] {
  const { turnId, responseId, text } = delta;
  const at = previews.findIndex((one) => one.turnId === turnId && one.responseId === responseId);
  const before = previews[at];
  return before === undefined
    ? [...previews, delta]
    : previews.with(at, { ...before, text: before.text + text });
}

/** The logged turns, with the previews at their ends. */
function withPreviews(memory: TimelineMemory, head: number): readonly Turn[] {
  if (memory.previews.length === 0) return memory.turns;
  // This draft is discarded; the entries that it leaves in the index are hints that fail their check.
  const draft = timelineDraftOf(memory);
  for (const [number, { text, ...names }] of memory.previews.entries()) {
    const place = positionFor(draft, { ...names, seq: head + 1 + number });
    addText(ownContainer(draft, place), { text, isStreaming: true });
  }
  return draft.turns;
}
