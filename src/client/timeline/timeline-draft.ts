/**
 * A timeline while a batch is folded into it: what the batch touches is copied once and then changed
 * in place. Copying for each event would make a replay of n events cost n² copies.
 *
 * The index is shared by all timelines that came from one empty one, and holds hints: where a name
 * was last put by any of them. A name it does not hold is nowhere. A hint is checked before it is
 * used, because somebody may fold an older timeline again; then the place is searched for.
 */
import type { Delta } from '../subscription.ts';
import type { EventOf } from '../../protocol/types.ts';
import type { Block, Container, ContainerType, TextBlock, ToolResult, Turn } from './block.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
export type OwnContainer = Omit<Mutable<Container>, 'blocks'> & { blocks: Block[] };
export type OwnTurn = Omit<Mutable<Turn>, 'containers'> & { containers: Container[] };

export interface BlockPosition {
  readonly turn: number;
  readonly container: number;
}

/** By `turn:` or `response:` and its name, a call by its name; names that clash cost a search. */
type Index = Map<string, BlockPosition>;

/** A response by its interaction, a result by its call; no name is one of both (it has a `~` or not). */
type Early = EventOf<'interaction_response'>['payload'] | ToolResult;

export interface Running {
  readonly at: number;
  /** Whose it is; two agents may be at work in one session. */
  readonly by: string | undefined;
}

/** What the next fold needs to know. */
export interface Memory {
  /** The turns as logged, without previews. */
  readonly turns: readonly Turn[];
  /** The turns that were started and have not ended, in that order. */
  readonly running: readonly Running[];
  /** The one made for events without a turn while none runs; or -1. */
  readonly unnamed: number;
  /** The calls that wait, by their `interaction_pending` and nothing else (PEND-8). */
  readonly waiting: ReadonlySet<string>;
  /** What came before that which it belongs to (TL-8). */
  readonly early: ReadonlyMap<string, Early>;
  /** Text in the making; see `previews.ts`. */
  readonly previews: readonly Delta[];
  readonly index: Index;
}

export interface TimelineDraft {
  turns: Turn[];
  running: readonly Running[];
  unnamed: number;
  readonly waiting: Set<string>;
  readonly early: Map<string, Early>;
  previews: readonly Delta[];
  readonly index: Index;
  /** What was made or copied in this batch, and may be changed in place. */
  readonly fresh: Set<object>;
}

export function draftOf(memory: Memory): TimelineDraft {
  return {
    ...memory,
    turns: [...memory.turns],
    waiting: new Set(memory.waiting),
    early: new Map(memory.early),
    fresh: new Set(),
  };
}

/** The turn that began last and runs, or -1: what is said without a turn belongs to it. */
export function openTurn({ running }: TimelineDraft): number {
  return running.at(-1)?.at ?? -1;
}

/** What stands at `at`: a copy, unless this batch has made one before. */
export function own<T extends object>(
  fresh: Set<object>,
  list: T[],
  at: number,
  copy: (value: T) => T,
): T {
  const there = list[at] as T;
  if (fresh.has(there)) return there;
  const copied = copy(there);
  fresh.add(copied);
  list[at] = copied;
  return copied;
}

export function ownTurn({ fresh, turns }: TimelineDraft, at: number): OwnTurn {
  const copy = (turn: Turn) => ({ ...turn, containers: [...turn.containers] });
  return own(fresh, turns, at, copy) as OwnTurn;
}

export function ownContainer(
  draft: TimelineDraft,
  { turn, container }: BlockPosition,
): OwnContainer {
  const copy = (one: Container) => ({ ...one, blocks: [...one.blocks] });
  return own(draft.fresh, ownTurn(draft, turn).containers, container, copy) as OwnContainer;
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
  if (turnId !== undefined) draft.index.set(`turn:${turnId}`, { turn: at, container: 0 });
  draft.unnamed = turnId === undefined ? at : -1;
  return at;
}

/** Named by its response, by its tool call, or by the event that it begins with. */
export function addContainer(
  draft: TimelineDraft,
  turn: number,
  type: ContainerType,
  name: string | number,
): BlockPosition {
  const id = `${type}:${name}`;
  const container: Mutable<Container> = { id, type, blocks: [], texts: 0 };
  const place = { turn, container: ownTurn(draft, turn).containers.push(container) - 1 };
  draft.fresh.add(container);
  draft.index.set(type === 'tool-call-only' ? `${name}` : id, place);
  if (type === 'response') container.responseId = `${name}`;
  if (type === 'tool-call-only') container.toolCallId = `${name}`;
  return place;
}

/** Its id is that of the text which it is a preview of, or was. */
export function addText(container: OwnContainer, said: Omit<TextBlock, 'type' | 'id'>): void {
  container.blocks.push({ type: 'text', id: `text-${container.texts}`, ...said });
  container.texts += 1;
}
