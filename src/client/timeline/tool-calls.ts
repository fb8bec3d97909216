/** The life of a tool call: made, waiting for a person, finished with a result (TL-11). */
import type { EventOf, Interaction } from '../../protocol/types.ts';
import type { ToolCallState, ToolCallStatus, ToolCallResult } from './block.ts';
import { changeCall, findCallBlocks, putCallBlocks, stepsOf } from './call-blocks.ts';
import type { TimelineDraft } from './timeline-draft.ts';
import { cancelledRecord } from '../../protocol/interaction-record.ts';

export function foldToolCall(
  draft: TimelineDraft,
  toolCallId: string,
  event: EventOf<'tool_call'>,
): void {
  const { toolName, input, decided } = event.payload;
  const run = findCallBlocks(draft, toolCallId);
  const call = { ...(run?.call ?? newCall(draft, toolCallId)), toolName, input };
  if (run === undefined && decided?.behavior === 'deny') call.status = 'error';
  // A repeated event leaves the call in its place, also in a group.
  if (run?.tool?.isPlaceholder === false) {
    changeCall(draft, run, { toolName, input });
    return;
  }
  const tool = {
    type: 'tool' as const,
    id: `tool:${toolCallId}`,
    isPlaceholder: false,
    ...(decided !== undefined && { decided }),
    steps: run?.tool?.steps ?? [],
  };
  putCallBlocks(draft, run, event, call, [tool, ...(run?.asked ?? [])]);
}

/** The state of a new call, with a result that may have come before it. */
export function newCall(draft: TimelineDraft, toolCallId: string): ToolCallState {
  const result = draft.early.get(toolCallId) as ToolCallResult | undefined;
  draft.early.delete(toolCallId);
  return {
    toolCallId,
    toolName: '',
    input: '',
    status: draft.waiting.has(toolCallId) ? 'pending' : restingStatus(result),
    ...(result !== undefined && { result }),
  };
}

/** A result ends the wait; the next event cancels the interaction (TL-9). */
export function foldToolResult(
  draft: TimelineDraft,
  toolCallId: string,
  event: EventOf<'tool_result'>,
): void {
  const result = { output: event.payload.output, isError: event.payload.isError === true };
  draft.waiting.delete(toolCallId);
  const run = findCallBlocks(draft, toolCallId);
  if (run === undefined) draft.early.set(toolCallId, result);
  else changeCall(draft, run, { result, status: restingStatus(result) }, cancelAt(event.at));
}

export function foldPending(draft: TimelineDraft, event: EventOf<'interaction_pending'>): void {
  const { toolCallId, pending } = event.payload;
  if (pending) draft.waiting.add(toolCallId);
  else draft.waiting.delete(toolCallId);
  const run = findCallBlocks(draft, toolCallId);
  if (run === undefined) return;
  const status = pending ? 'pending' : restingStatus(run.call.result, stepsOf(run).at(-1));
  if (status !== run.call.status) changeCall(draft, run, { status });
}

/** The status while no person is asked. A call that was not allowed is an error, whatever its agent reports later. */
export function restingStatus(
  result: ToolCallResult | undefined,
  step?: Interaction,
): ToolCallStatus {
  if (result !== undefined) return result.isError ? 'error' : 'complete';
  const outcome = step?.outcome ?? 'approved';
  return outcome === 'approved' || outcome === 'answered' ? 'running' : 'error';
}

export function cancelAt(at: number): (step: Interaction) => Interaction {
  return (step) => (step.status === 'open' ? cancelledRecord(step, at) : step);
}
