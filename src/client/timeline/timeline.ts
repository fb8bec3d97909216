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
import { type TimelineDraft, draftOf, type Memory } from './draft.ts';
import { foldEvent } from './fold-events.ts';
import { withDelta, withPreviews } from './previews.ts';

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
