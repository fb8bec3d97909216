/** The position of an event in a timeline (TL-2, TL-3). */
import type { Block, Container, ContainerType } from './block.ts';
import {
  addContainer,
  addTurn,
  type TimelineDraft,
  openTurn,
  type BlockPosition,
} from './timeline.ts';

/** The ids that attach an event to a turn, a response or a tool call. */
interface EventNames {
  readonly seq: number;
  readonly turnId?: string | undefined;
  readonly responseId?: string | undefined;
  readonly toolCallId?: string | undefined;
}

export function findTurn(draft: TimelineDraft, turnId: string | undefined): number {
  // In a log of another make it may be an object, which cannot always be the key of an index.
  if (typeof turnId !== 'string') return -1;
  const { turns, index } = draft;
  const open = openTurn(draft);
  const hint = turns[open]?.turnId === turnId ? open : index.get(`turn:${turnId}`)?.turn;
  if (hint === undefined) return -1;
  if (turns[hint]?.turnId === turnId) return hint;
  return turns.findIndex((turn) => turn.turnId === turnId);
}

export function findCallPosition(
  { turns, index }: TimelineDraft,
  toolCallId: string,
): BlockPosition | undefined {
  const hint = index.get(toolCallId);
  const isThere = (one: Container | undefined) =>
    one !== undefined &&
    (one.toolCallId === toolCallId ||
      one.blocks.findLastIndex((block) => memberIndex(block, toolCallId) >= 0) >= 0);
  if (hint === undefined || isThere(turns[hint.turn]?.containers[hint.container])) return hint;
  for (const [turn, { containers }] of turns.entries()) {
    const container = containers.findIndex(isThere);
    if (container >= 0) return { turn, container };
  }
  return undefined;
}

/** Where in a block a call stands: 0 in one of its own, its place in a group, or -1. */
export function memberIndex(block: Block, toolCallId: string): number {
  if (block.type === 'tool' || block.type === 'questionnaire') {
    return block.call.toolCallId === toolCallId ? 0 : -1;
  }
  return block.type === 'group'
    ? block.tools.findLastIndex((tool) => tool.call.toolCallId === toolCallId)
    : -1;
}

function turnFor(draft: TimelineDraft, { turnId, seq }: EventNames, own?: BlockPosition): number {
  const named = findTurn(draft, turnId);
  if (named >= 0) return named;
  if (turnId !== undefined) return addTurn(draft, seq, turnId);
  if (own !== undefined) return own.turn;
  const open = openTurn(draft);
  if (open >= 0) return open;
  return draft.unnamed >= 0 ? draft.unnamed : addTurn(draft, seq);
}

/** For an event of an agent: with its response, with its tool call, or loose in the turn. */
export function positionFor(draft: TimelineDraft, event: EventNames): BlockPosition {
  const { responseId, toolCallId } = event;
  const own = toolCallId === undefined ? undefined : findCallPosition(draft, toolCallId);
  if (responseId === undefined && own !== undefined) return own;
  const turn = turnFor(draft, event, own);
  if (responseId !== undefined) {
    // An agent may use a response id again in its next turn; that is another response.
    const { containers = [] } = draft.turns[turn] ?? {};
    const hint = draft.index.get(`response:${responseId}`);
    const isIt = (one: Container | undefined) => one?.responseId === responseId;
    if (hint?.turn === turn && isIt(containers[hint.container])) return hint;
    const container = hint === undefined ? -1 : containers.findLastIndex(isIt);
    return container >= 0 ? { turn, container } : addContainer(draft, turn, 'response', responseId);
  }
  return toolCallId === undefined
    ? lastOf(draft, turn, event.seq, 'loose')
    : addContainer(draft, turn, 'tool-call-only', toolCallId);
}

/** For an event without response and call: the last container of the turn, if it has this type, or a new one. */
export function positionBeside(
  draft: TimelineDraft,
  event: EventNames,
  type: ContainerType,
): BlockPosition {
  return lastOf(draft, turnFor(draft, event), event.seq, type);
}

function lastOf(
  draft: TimelineDraft,
  turn: number,
  seq: number,
  type: ContainerType,
): BlockPosition {
  const containers = draft.turns[turn]?.containers ?? [];
  return containers.at(-1)?.type === type
    ? { turn, container: containers.length - 1 }
    : addContainer(draft, turn, type, seq);
}
