/** The ways in which a turn ends. Each leaves a conversation in which every call has its result. */
import { addEvents } from '../../core/session-draft.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { cancelEvents } from '../../core/decisions/cancel.ts';
import { listOpenInteractions } from '../../core/state.ts';
import type { ToolResultContent } from '../message.ts';
import { interruptedOutput } from './end-call.ts';
import { isActiveRun, type Run, type RunCall } from './run.ts';
import { addMessage, type RunDraft, type RunFacts, setRun } from './run-draft.ts';

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
  const closed = addMessage(draft, { role: 'user', content: run.calls.map(toResultContent) });
  const events: DraftEvent[] = [
    ...cancelOpenOfTurn(draft, run, 'Turn failed', facts),
    { type: 'error', turnId, payload: failure },
    { type: 'turn_ended', turnId, payload: { reason: 'error', usage: run.usage } },
  ];
  const failed: Run = { ...run, status: 'failed', calls: [], retryAt: null, attempt: 0 };
  return setRun(addEvents(closed, events, facts.now), failed);
}

/** Cancels the open interactions of the turn, whether the agent or one of its tools opened them (PEND-9). */
function cancelOpenOfTurn({ state }: RunDraft, { turnId }: Run, reason: string, facts: RunFacts) {
  const left = listOpenInteractions(state).filter(
    (interaction) => interaction.turnId === turnId && interaction.detached !== true,
  );
  return cancelEvents(left, facts, reason);
}

/** Ends the run of a turn that a person ended by an interrupt, `/clear` or a delete. */
export function closeEndedRun(draft: RunDraft): RunDraft {
  const { run, state } = draft;
  if (!isActiveRun(run) || state.info.turn?.turnId === run.turnId) return draft;
  const closed = addMessage(draft, { role: 'user', content: run.calls.map(toResultContent) });
  return setRun({ ...closed, events: withUsage(closed.events, run) }, null);
}

/** The core ends turns without knowing the usage of their run. */
function withUsage(events: readonly DraftEvent[], { turnId, usage }: Run): DraftEvent[] {
  return events.map((event) =>
    event.type === 'turn_ended' && (event.turnId ?? turnId) === turnId
      ? { ...event, payload: { ...event.payload, usage } }
      : event,
  );
}

export function toResultContent(call: RunCall): ToolResultContent {
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
