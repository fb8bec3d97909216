/** Turns begin and end, and with an end what they left undone (TL-11). */
import type { EventOf } from '../../protocol/types.ts';
import type { Block, ToolCallState } from './block.ts';
import { changeCall, findCallBlocks } from './call-blocks.ts';
import { cancelAt } from './tool-calls.ts';
import { addTurn, type TimelineDraft, openTurn, ownTurn, type Running } from './timeline-draft.ts';
import { isObject } from './guards.ts';
import { findTurn } from './block-position.ts';

export function startTurn(draft: TimelineDraft, event: EventOf<'turn_started'>): void {
  const by = reporterOf(event);
  const known = findTurn(draft, event.turnId);
  for (const { at } of draft.running.filter((one) => one.at !== known && isOwn(one, by))) {
    endCalls(draft, at, event.at);
  }
  endCalls(draft, draft.unnamed, event.at);
  const at = known >= 0 ? known : addTurn(draft, event.seq, event.turnId);
  const others = draft.running.filter((one) => one.at !== at && !isOwn(one, by));
  draft.running = [...others, { at, by }];
  draft.unnamed = -1;
  const turn = ownTurn(draft, at);
  turn.startedAt = event.at;
  delete turn.ended;
  if (event.payload.title !== undefined) turn.title = event.payload.title;
}

/** An end with a name ends that turn; one without ends its reporter's, or whatever runs if it says of none. */
export function endTurn(draft: TimelineDraft, event: EventOf<'turn_ended'>): void {
  const { turnId, at, payload } = event;
  const running = runningOf(draft, event);
  const named = findTurn(draft, turnId);
  const over = new Set([named, ...running]);
  // An agent that never says when a turn begins says when it is over all the same.
  if (turnId === undefined && running.length === 0) over.add(draft.unnamed);
  over.delete(-1);
  for (const turn of over) {
    const { by: _by, ...said } = payload;
    ownTurn(draft, turn).ended = { ...said, at };
    endCalls(draft, turn, at);
  }
  draft.running = draft.running.filter((one) => !over.has(one.at));
  if (over.has(draft.unnamed)) draft.unnamed = -1;
  draft.previews = [];
}

/** The agent that reports it has failed; what it says after that still belongs to its turn. */
export function failTurn(draft: TimelineDraft, event: EventOf<'error'>, placed: number): void {
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
    .filter((one) => fits(draft.turns[one.at]?.turnId) && isOwn(one, by))
    .map((one) => one.at);
}

/** Absent in what the built-in agent and people do, and in logs from before reporters were kept. */
function reporterOf({ payload }: EndEvent | EventOf<'turn_started'>): string | undefined {
  return isObject(payload.by) ? payload.by.credential : undefined;
}

function isOwn({ by: starter }: Running, by: string | undefined): boolean {
  return by === undefined || starter === undefined || starter === by;
}

/** The context was cleared or the session deleted: nothing in it waits or runs any more. */
export function endAll(draft: TimelineDraft, at: number): void {
  draft.waiting.clear();
  for (const turn of draft.turns.keys()) endCalls(draft, turn, at);
  draft.previews = [];
  draft.running = [];
  draft.unnamed = -1;
}

/**
 * What is logged to wait is cancelled by the session, in its own event, or goes on (`detached`). Only
 * this turn is looked at: calls that never end must not be looked at again with every turn that does.
 */
function endCalls(draft: TimelineDraft, turn: number, at: number): void {
  const blocks = draft.turns[turn]?.containers.flatMap((one) => one.blocks) ?? [];
  for (const { toolCallId, status } of blocks.flatMap(callsOf)) {
    const isOver = status === 'complete' || status === 'error';
    const run =
      isOver || draft.waiting.has(toolCallId) ? undefined : findCallBlocks(draft, toolCallId);
    if (run !== undefined) changeCall(draft, run, { status: 'error' }, cancelAt(at));
  }
}

function callsOf(block: Block): readonly ToolCallState[] {
  if (block.type === 'group') return block.tools.map(({ call }) => call);
  return 'call' in block ? [block.call] : [];
}
