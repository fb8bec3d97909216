/** The ways in which a turn and its calls end. Each leaves a conversation in which every call has its result. */
import { addEvents, draftEvents } from '../../core/session-draft.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { cancelEvents } from '../../core/decisions/cancel.ts';
import { listOpenInteractions, findOpenForToolCall } from '../../core/state.ts';
import { toFileContent } from '../conversation.ts';
import type { ToolResultContent, UserContent } from '../message.ts';
import { findCall, isActiveRun, type Run, type RunCall, replaceCall } from './run.ts';
import { addMessage, type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { cutText } from '../tools/fit-text.ts';
import type { ToolOutput } from '../tools/ports.ts';

const EMPTY_ERROR_TEXT = 'The tool failed without a message.';

/** Ends a turn after the final answer; `notice` tells the person of a fault in it. */
export function endCompletedTurn(
  draft: RunDraft,
  run: Run,
  notice: string | undefined,
  facts: RunFacts,
): RunDraft {
  const ended: DraftEvent = {
    type: 'turn_ended',
    turnId: run.turnId,
    payload: {
      reason: 'completed',
      ...(notice !== undefined && { message: notice }),
      usage: run.usage,
    },
  };
  return setRun(
    addEvents(draft, [...cancelOpenOfTurn(draft, run, 'Turn ended', facts), ended], facts.now),
    null,
  );
}

/** Ends a turn that failed and cancels its open interactions. A person can retry it from here. */
export function endFailedTurn(
  draft: RunDraft,
  run: Run,
  failure: { readonly code: string; readonly message: string },
  facts: RunFacts,
): RunDraft {
  const { turnId } = run;
  const closed = addMessage(draft, { role: 'user', content: toResultsContent(run.calls) });
  const events: DraftEvent[] = [
    ...cancelOpenOfTurn(draft, run, 'Turn failed', facts),
    { type: 'error', turnId, payload: failure },
    { type: 'turn_ended', turnId, payload: { reason: 'error', usage: run.usage } },
  ];
  const failed: Run = { ...run, status: 'failed', calls: [], retryAt: null, attempt: 0 };
  return setRun(addEvents(closed, events, facts.now), failed);
}

/** The failure of a turn that has reached its limit of answers. */
export function findStepLimit({ state }: RunDraft, { step }: Run) {
  const maxSteps = state.info.agent?.maxSteps ?? LIMITS.turnSteps;
  if (step < maxSteps) return undefined;
  const message = `This turn reached its limit of ${maxSteps} answers of the model.`;
  return { code: 'step_limit', message };
}

/** Cancels the open interactions of the turn, whether the agent or one of its tools opened them (PEND-9). */
function cancelOpenOfTurn({ state }: RunDraft, { turnId }: Run, reason: string, facts: RunFacts) {
  const left = listOpenInteractions(state).filter(
    (interaction) => interaction.turnId === turnId && interaction.detached !== true,
  );
  return cancelEvents(left, facts, reason);
}

/** Ends the run of a turn that a person ended by an interrupt, `/clear` or a delete. */
export function closeEndedRun(draft: RunDraft, facts: RunFacts): RunDraft {
  const { run, state, before } = draft;
  if (!isActiveRun(run) || state.info.turn?.turnId === run.turnId) return draft;
  const closed = addMessage(draft, { role: 'user', content: toResultsContent(run.calls) });
  const events = withUsage(closed.events, run);
  // Folded again: the session counts the usage of its turns.
  const counted = draftEvents(before, events, facts.now);
  return setRun({ ...closed, events, state: counted.state }, null);
}

/** Ends the turn of a call that a person denied with `stop`, as an interrupt ends it (APR-7). */
export function endStoppedTurn(draft: RunDraft, facts: RunFacts): RunDraft {
  const { run } = draft;
  if (!isActiveRun(run) || !draft.events.some((event) => isStopOf(run, event))) return draft;
  const ended: DraftEvent = {
    type: 'turn_ended',
    turnId: run.turnId,
    payload: { reason: 'interrupted' },
  };
  const cancelled = cancelOpenOfTurn(draft, run, 'Turn stopped', facts);
  return addEvents(draft, [...cancelled, ended], facts.now);
}

/** Another agent that asks within the turn gets its own stop as part of its outcome. */
function isStopOf(run: Run, { type, turnId, payload }: DraftEvent): boolean {
  if (type !== 'interaction_response' || payload.decision?.stop !== true) return false;
  const call = findCall(run, payload.toolCallId);
  return turnId === run.turnId && (call?.status === 'asking' || call?.status === 'unknown');
}

/** The core ends turns without knowing the usage of their run. */
function withUsage(events: readonly DraftEvent[], { turnId, usage }: Run): DraftEvent[] {
  return events.map((event) =>
    event.type === 'turn_ended' && (event.turnId ?? turnId) === turnId
      ? { ...event, payload: { ...event.payload, usage } }
      : event,
  );
}

/** All results first, as the API requires, and then the files that came with the answers of people. */
export function toResultsContent(calls: readonly RunCall[]): UserContent[] {
  const files = calls.flatMap(({ attachments }) => toFileContent(attachments));
  return [...calls.map(toResultContent), ...files];
}

function toResultContent(call: RunCall): ToolResultContent {
  const { toolCallId, isEdited, isRepeat, input } = call;
  const { content, isError } = call.output ?? interruptedOutput(call);
  const notes = [
    ...(isEdited === true
      ? [`The person changed the input before it ran. What ran: ${JSON.stringify(input)}`]
      : []),
    ...(isRepeat === true ? ['The server had stopped, so this call was sent a second time.'] : []),
  ];
  return {
    type: 'tool_result',
    toolUseId: toolCallId,
    // The API refuses an empty error, and with it every later request of the conversation.
    content: [...notes, isError && content.trim() === '' ? EMPTY_ERROR_TEXT : content].join('\n\n'),
    isError,
  };
}

/** Ends a tool call with its output, shortened to what the model receives. */
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

function interruptedOutput({ status }: RunCall): ToolOutput {
  const isMidway = status === 'started' || status === 'unknown';
  return { content: isMidway ? WHILE_IT_RAN : BEFORE_IT_RAN, isError: true };
}
