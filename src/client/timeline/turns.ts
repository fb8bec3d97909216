/** Turns begin and end, and with an end what they left undone (TL-11). */
import type { EventOf } from '../words.ts';
import type { Block, ToolCallState } from './block.ts';
import { changeCall, findRun } from './call-run.ts';
import { cancelAt } from './calls.ts';
import { addTurn, type Draft, ownTurn } from './draft.ts';
import { findTurn } from './place.ts';

export function startTurn(draft: Draft, event: EventOf<'turn_started'>): void {
  const known = findTurn(draft, event.turnId);
  draft.open = known >= 0 ? known : addTurn(draft, event.seq, event.turnId);
  draft.unnamed = -1;
  const turn = ownTurn(draft, draft.open);
  turn.startedAt = event.at;
  delete turn.ended;
  if (event.payload.title !== undefined) turn.title = event.payload.title;
}

/** An end without a name ends whatever runs; one with a name ends that turn and no other. */
export function endTurn(draft: Draft, event: EventOf<'turn_ended'>): void {
  const { turnId, at, payload } = event;
  const named = findTurn(draft, turnId);
  const running = draft.turns[draft.open]?.turnId;
  const ended = turnId ?? running;
  const endsOpen = (running ?? ended) === ended;
  for (const turn of [named, endsOpen ? draft.open : -1]) {
    if (turn < 0) continue;
    ownTurn(draft, turn).ended = { ...payload, at };
    endCalls(draft, turn, at);
  }
  if (endsOpen) draft.open = -1;
  draft.previews = [];
}

/** The context was cleared or the session deleted: nothing in it waits or runs any more. */
export function endAll(draft: Draft, at: number): void {
  draft.waiting.clear();
  for (const turn of draft.turns.keys()) endCalls(draft, turn, at);
  draft.previews = [];
  draft.open = -1;
  draft.unnamed = -1;
}

/**
 * What is logged to wait is cancelled by the session, in its own event, or goes on (`detached`). Only
 * this turn is looked at: calls that never end must not be looked at again with every turn that does.
 */
function endCalls(draft: Draft, turn: number, at: number): void {
  const blocks = draft.turns[turn]?.containers.flatMap((one) => one.blocks) ?? [];
  for (const { toolCallId, status } of blocks.flatMap(callsOf)) {
    const isOver = status === 'complete' || status === 'error';
    const run = isOver || draft.waiting.has(toolCallId) ? undefined : findRun(draft, toolCallId);
    if (run !== undefined) changeCall(draft, run, { status: 'error' }, cancelAt(at));
  }
}

function callsOf(block: Block): readonly ToolCallState[] {
  if (block.type === 'group') return block.tools.map(({ call }) => call);
  return 'call' in block ? [block.call] : [];
}
