/**
 * A mutable timeline for one batch of events: parts that the batch touches are copied once and then changed in place. A
 * copy for each event would make a replay of n events cost n² copies.
 *
 * All timelines that come from one empty timeline share the index. It holds hints: the position that any of them last gave
 * a name. A name that it does not hold is in none of them. A hint is checked before use, because a caller may fold an
 * older timeline again; if the check fails, the position is searched for.
 */
import type { Delta } from '../transport.ts';
import type { EventOf } from '../../protocol/types.ts';
import type { Block, Container, ContainerType, TextBlock, ToolCallResult, Turn } from './block.ts';

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
export interface TimelineMemory {
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

export function timelineDraftOf(memory: TimelineMemory): TimelineDraft {
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
