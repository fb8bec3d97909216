/** Ends tool calls with their output, shortened to what the model receives. */
import { addEvents } from '../../core/session-draft.ts';
import { cancelEvents } from '../../core/decisions/cancel.ts';
import { findOpenForToolCall } from '../../core/state.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { cutText } from '../tools/fit-text.ts';
import type { ToolOutput } from '../tools/ports.ts';
import { type Run, type RunCall, replaceCall } from './run.ts';
import { type RunDraft, type RunFacts, setRun } from './run-draft.ts';

export function endCall(
  draft: RunDraft,
  run: Run,
  call: RunCall,
  output: ToolOutput,
  facts: RunFacts,
): RunDraft {
  const before = run.calls.reduce((sum, one) => sum + (one.output?.content.length ?? 0), 0);
  const room = Math.max(0, LIMITS.toolOutputsChars - before);
  const shortened = cutOutput(output, Math.min(LIMITS.toolOutputChars, room));
  const ended = replaceCall(run, { ...call, status: 'done', output: shortened });
  const events = [
    toolResultEvent(run, call.toolCallId, shortened),
    ...cancelOpenRequest(draft, call, shortened, facts),
  ];
  return setRun(addEvents(draft, events, facts.now), ended);
}

/** A tool may ask a person about its own call and end without waiting for the answer (APR-5). */
function cancelOpenRequest(
  { state }: RunDraft,
  { toolCallId }: RunCall,
  { isError }: ToolOutput,
  facts: RunFacts,
): DraftEvent[] {
  const open = findOpenForToolCall(state.open, toolCallId);
  const reason = isError ? 'Tool call failed' : 'Tool call finished';
  return open === undefined ? [] : cancelEvents([open], facts, reason);
}

export function toolResultEvent(run: Run, toolCallId: string, output: ToolOutput): DraftEvent {
  return {
    type: 'tool_result',
    turnId: run.turnId,
    toolCallId,
    payload: { output: output.content, ...(output.isError && { isError: true }) },
  };
}

function cutOutput(output: ToolOutput, maxChars: number): ToolOutput {
  const { content } = output;
  const rest = content.length - maxChars;
  if (rest <= 0) return output;
  return {
    ...output,
    content: `${cutText(content, maxChars)}\n\n[Cut here: ${rest} more characters.]`,
  };
}

const BEFORE_IT_RAN = 'Interrupted before it ran.';
const WHILE_IT_RAN = 'Interrupted while it ran; it may have had its effect.';

export function endUnfinishedCalls(draft: RunDraft, facts: RunFacts): RunDraft {
  const left = draft.run?.calls.filter(({ status }) => status !== 'done') ?? [];
  return left.reduce(
    (one, call) =>
      one.run === null ? one : endCall(one, one.run, call, interruptedOutput(call), facts),
    draft,
  );
}

export function interruptedOutput({ status }: RunCall): ToolOutput {
  const isMidway = status === 'started' || status === 'unknown';
  return { content: isMidway ? WHILE_IT_RAN : BEFORE_IT_RAN, isError: true };
}
