/** Starts and ends of turns; the end of a turn also ends its unfinished calls (TL-11). */
import type { Block, ToolCallState } from './block.ts';
import { changeCall, findCallBlocks, cancelAt } from './tool-calls.ts';
import { addTurn, type TimelineDraft, openTurn, ownTurn, type RunningTurn } from './timeline.ts';
import { isObject, type EventOf } from '../../protocol/types.ts';
import { findTurn } from './block-position.ts';

export function foldTurnStarted(draft: TimelineDraft, event: EventOf<'turn_started'>): void {
  const by = reporterOf(event);
  const known = findTurn(draft, event.turnId);
  for (const { at } of draft.running.filter((one) => one.at !== known && isSameReporter(one, by))) {
    endCalls(draft, at, event.at);
  }
  endCalls(draft, draft.unnamed, event.at);
  const at = known >= 0 ? known : addTurn(draft, event.seq, event.turnId);
  const others = draft.running.filter((one) => one.at !== at && !isSameReporter(one, by));
  draft.running = [...others, { at, by }];
  draft.unnamed = -1;
  const turn = ownTurn(draft, at);
  turn.startedAt = event.at;
  delete turn.ended;
  if (event.payload.title !== undefined) turn.title = event.payload.title;
}

/** Ends the turn with this id; without an id, the turns of the reporter; without a reporter, every running turn. */
export function foldTurnEnded(draft: TimelineDraft, event: EventOf<'turn_ended'>): void {
  const { turnId, at, payload } = event;
  const running = runningOf(draft, event);
  const named = findTurn(draft, turnId);
  const over = new Set([named, ...running]);
  // An agent may report ends without starts.
  if (turnId === undefined && running.length === 0) over.add(draft.unnamed);
  over.delete(-1);
  for (const turn of over) {
    const { by: _by, ...end } = payload;
    ownTurn(draft, turn).ended = { ...end, at };
    endCalls(draft, turn, at);
  }
  draft.running = draft.running.filter((one) => !over.has(one.at));
  if (over.has(draft.unnamed)) draft.unnamed = -1;
  draft.previews = [];
}

/** An agent that reports an error has failed; its later events still belong to the turn. */
export function foldTurnFailed(
  draft: TimelineDraft,
  event: EventOf<'error'>,
  placed: number,
): void {
  if (reporterOf(event) === undefined) return;
  const running = runningOf(draft, event);
  const isAlone = running.length === 0 && openTurn(draft) === -1;
  for (const turn of isAlone ? [placed] : running) endCalls(draft, turn, event.at);
}

type EndEvent = EventOf<'turn_ended'> | EventOf<'error'>;

function runningOf(draft: TimelineDraft, event: EndEvent): number[] {
  const by = reporterOf(event);
  const { turnId } = event;
  const fits = (name: string | undefined) =>
    turnId === undefined || name === undefined || name === turnId;
  return draft.running
    .filter((one) => fits(draft.turns[one.at]?.turnId) && isSameReporter(one, by))
    .map((one) => one.at);
}

/** Undefined for the built-in agent, for people, and in logs from before reporters were stored. */
function reporterOf({ payload }: EndEvent | EventOf<'turn_started'>): string | undefined {
  return isObject(payload.by) ? payload.by.credential : undefined;
}

function isSameReporter({ by: starter }: RunningTurn, by: string | undefined): boolean {
  return by === undefined || starter === undefined || starter === by;
}

/** After a clear or a deletion nothing waits or runs. */
export function endAll(draft: TimelineDraft, at: number): void {
  draft.waiting.clear();
  for (const turn of draft.turns.keys()) endCalls(draft, turn, at);
  draft.previews = [];
  draft.running = [];
  draft.unnamed = -1;
}

/**
 * Ends the calls of one turn, except those that wait: the session cancels them with an event of their own, or they stay
 * open (`detached`). Only this turn is searched; otherwise calls that never end would be searched at the end of every turn.
 */
function endCalls(draft: TimelineDraft, turn: number, at: number): void {
  const blocks = draft.turns[turn]?.containers.flatMap((one) => one.blocks) ?? [];
  for (const { toolCallId, status } of blocks.flatMap(callsInBlock)) {
    const isOver = status === 'complete' || status === 'error';
    const run =
      isOver || draft.waiting.has(toolCallId) ? undefined : findCallBlocks(draft, toolCallId);
    if (run !== undefined) changeCall(draft, run, { status: 'error' }, cancelAt(at));
  }
}

function callsInBlock(block: Block): readonly ToolCallState[] {
  if (block.type === 'group') return block.tools.map(({ call }) => call);
  return 'call' in block ? [block.call] : [];
}
