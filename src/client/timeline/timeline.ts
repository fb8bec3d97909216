/**
 * The timeline of a session: its log and the streamed text, as turns, containers and blocks.
 *
 * 1. Folding a log in any pieces, or a piece of it twice, gives the same timeline (TL-1).
 * 2. A timeline is immutable; parts that an event did not touch are the same objects in the next one.
 * 3. No event makes it throw. It accepts a log with gaps; only the replica checks for them.
 */
import type { Delta } from '../transport.ts';
import type { SessionEvent, EventOf } from '../../protocol/types.ts';
import type { Turn, Block, Container, ContainerType, TextBlock, ToolCallResult } from './block.ts';
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

/**
 * A mutable timeline for one batch of events: parts that the batch touches are copied once and then changed in place. A
 * copy for each event would make a replay of n events cost n² copies.
 *
 * All timelines that come from one empty timeline share the index. It holds hints: the position that any of them last gave
 * a name. A name that it does not hold is in none of them. A hint is checked before use, because a caller may fold an
 * older timeline again; if the check fails, the position is searched for.
 */
type Writable<T> = { -readonly [K in keyof T]: T[K] };
export type OwnContainer = Omit<Writable<Container>, 'blocks'> & { blocks: Block[] };
export type OwnTurn = Omit<Writable<Turn>, 'containers'> & { containers: Container[] };

export interface BlockPosition {
  readonly turn: number;
  readonly container: number;
}

/** Keys are `turn:` or `response:` with the id, and the bare id of a tool call; clashing keys cost a search. */
type PositionIndex = Map<string, BlockPosition>;

/** A response by its interaction id, a result by its tool call id; only interaction ids contain `~`. */
type Early = EventOf<'interaction_response'>['payload'] | ToolCallResult;

export interface RunningTurn {
  readonly at: number;
  /** The credential that reports it; two agents may work in one session. */
  readonly by: string | undefined;
}

/** The state for the next fold. */
interface TimelineMemory {
  /** The turns as logged, without previews. */
  readonly turns: readonly Turn[];
  /** The running turns, in the order of their start. */
  readonly running: readonly RunningTurn[];
  /** The turn made for events without a turn id while no turn runs; or -1. */
  readonly unnamed: number;
  /** The calls that wait, from `interaction_pending` alone (PEND-8). */
  readonly waiting: ReadonlySet<string>;
  /** Results and responses that came before their call or request (TL-8). */
  readonly early: ReadonlyMap<string, Early>;
  /** Streamed text; see `withPreviews`. */
  readonly previews: readonly Delta[];
  readonly index: PositionIndex;
}

export interface TimelineDraft {
  turns: Turn[];
  running: readonly RunningTurn[];
  unnamed: number;
  readonly waiting: Set<string>;
  readonly early: Map<string, Early>;
  previews: readonly Delta[];
  readonly index: PositionIndex;
  /** Objects made or copied in this batch, which may be changed in place. */
  readonly fresh: Set<object>;
}

function timelineDraftOf(memory: TimelineMemory): TimelineDraft {
  return {
    ...memory,
    turns: [...memory.turns],
    waiting: new Set(memory.waiting),
    early: new Map(memory.early),
    fresh: new Set(),
  };
}

/** The running turn that began last, or -1; events without a turn id belong to it. */
export function openTurn({ running }: TimelineDraft): number {
  return running.at(-1)?.at ?? -1;
}

/** The item at `at`, copied unless this batch made or copied it before. */
export function ownCopy<T extends object>(
  fresh: Set<object>,
  list: T[],
  at: number,
  copy: (value: T) => T,
): T {
  const current = list[at] as T;
  if (fresh.has(current)) return current;
  const copied = copy(current);
  fresh.add(copied);
  list[at] = copied;
  return copied;
}

export function ownTurn({ fresh, turns }: TimelineDraft, at: number): OwnTurn {
  const copy = (turn: Turn) => ({ ...turn, containers: [...turn.containers] });
  return ownCopy(fresh, turns, at, copy) as OwnTurn;
}

export function ownContainer(
  draft: TimelineDraft,
  { turn, container }: BlockPosition,
): OwnContainer {
  const copy = (one: Container) => ({ ...one, blocks: [...one.blocks] });
  return ownCopy(draft.fresh, ownTurn(draft, turn).containers, container, copy) as OwnContainer;
}

export function addTurn(draft: TimelineDraft, seq: number, turnId?: string): number {
  const turn: Turn = {
    seq,
    id: turnId ?? `turn-${seq}`,
    ...(turnId !== undefined && { turnId }),
    containers: [],
  };
  const at = draft.turns.push(turn) - 1;
  draft.fresh.add(turn);
  if (typeof turnId === 'string') draft.index.set(`turn:${turnId}`, { turn: at, container: 0 });
  draft.unnamed = turnId === undefined ? at : -1;
  return at;
}

/** The id names the response, the tool call, or the first event. */
export function addContainer(
  draft: TimelineDraft,
  turn: number,
  type: ContainerType,
  name: string | number,
): BlockPosition {
  const id = `${type}:${name}`;
  const container: Writable<Container> = { id, type, blocks: [], texts: 0 };
  const place = { turn, container: ownTurn(draft, turn).containers.push(container) - 1 };
  draft.fresh.add(container);
  draft.index.set(type === 'tool-call-only' ? `${name}` : id, place);
  if (type === 'response') container.responseId = `${name}`;
  if (type === 'tool-call-only') container.toolCallId = `${name}`;
  return place;
}

/** A stored text gets the id that its preview had. */
export function addText(container: OwnContainer, text: Omit<TextBlock, 'type' | 'id'>): void {
  container.blocks.push({ type: 'text', id: `text-${container.texts}`, ...text });
  container.texts += 1;
}
