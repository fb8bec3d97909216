/**
 * Applies the result of a request to the model.
 *
 * An answer is logged, its tool calls pass the gate, and the turn goes on or ends. After a failure of a busy model the
 * run requests the answer again, with growing pauses that are stored and visible; a failure that would repeat ends the
 * turn. The text so far of an interrupted answer stays in the log.
 */
import { addEvents, insertEventsBefore, type SessionDraft } from '../../core/session-draft.ts';
import { rejectIfLogFull } from '../../core/rejections.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { toUserMessage } from '../conversation.ts';
import { type AssistantContent, type AssistantMessage, toolUsesIn } from '../message.ts';
import { addUsage } from '../../protocol/add-usage.ts';
import type { Usage } from '../../protocol/schema/usage.ts';
import type { FailureReason, ModelFailed, StopReason, UnknownStop } from '../model.ts';
import { findCostUsd } from '../token-cost.ts';
import { compactionAfterAnswer, forceSummary, isTooLong } from './compact.ts';
import { pauseBeforeRetry } from './pause-before-retry.ts';
import { gateToolCall, refuseCall } from './gate-tool-call.ts';
import { endCompletedTurn, endFailedTurn, findStepLimit, toResultsContent } from './end-turn.ts';
import { isActiveRun, responseIdOf, type Run, type RunCommandOf } from './run.ts';
import { addMessage, type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { cutText } from '../tools/fit-text.ts';

const PARTIAL_ANSWER = 'Not run: the answer was incomplete.';
/** Room for an answer with several calls, each with a request. */
const EVENTS_PER_ANSWER = 50;

export function applyModelAnswer(
  draft: RunDraft,
  run: Run,
  command: RunCommandOf<'model.answered'>,
  facts: RunFacts,
): RunDraft {
  const { message, stopReason, leftOut } = command;
  const full = rejectIfLogFull(draft.state, EVENTS_PER_ANSWER);
  if (full !== undefined) return endFailedTurn(draft, run, full, facts);
  const { compaction: _, ...asked } = run;
  const counted: Run = {
    ...asked,
    ...compactionAfterAnswer(run),
    step: run.step + 1,
    attempt: 0,
    retryAt: null,
    usage: addUsage(run.usage, withUsageCost(command, facts)),
  };
  const logged = addEvents(
    draft,
    [...answerEvents(run, message.content), ...leftOutEvents(run, leftOut)],
    facts.now,
  );
  const answered = setRun(addMessage(logged, message), counted);
  const next = chooseNextStep(message, stopReason);
  switch (next.next) {
    case 'call_again': {
      const refused = refuseCalls(answered, run, message, facts);
      const asked = addMessage(refused, toUserMessage(next.userText));
      const limit = findStepLimit(asked, counted);
      return limit === undefined
        ? setRun(asked, counted)
        : endFailedTurn(asked, counted, limit, facts);
    }
    case 'run_tools': {
      const gating = setRun(answered, { ...counted, status: 'tools' });
      return toolUsesIn(message).reduce((one, use) => gateToolCall(one, run, use, facts), gating);
    }
    case 'end': {
      const refused = refuseCalls(answered, run, message, facts);
      return endCompletedTurn(refused, counted, next.notice, facts);
    }
  }
}

/** Refuses the calls of an incomplete answer. The API requires a result for each of them. */
function refuseCalls(
  answered: RunDraft,
  run: Run,
  message: AssistantMessage,
  facts: RunFacts,
): RunDraft {
  const uses = toolUsesIn(message);
  const closed = uses.reduce(
    (one, use) => refuseCall(one, run, use, PARTIAL_ANSWER, facts),
    answered,
  );
  return addMessage(closed, {
    role: 'user',
    content: toResultsContent(closed.run?.calls ?? []),
  });
}

function answerEvents(run: Run, content: readonly AssistantContent[]): DraftEvent[] {
  const at = { turnId: run.turnId, responseId: responseIdOf(run) };
  return content.flatMap((block): DraftEvent[] => {
    if (block.type === 'text')
      return [{ type: 'assistant_text', ...at, payload: { text: block.text } }];
    if (block.type !== 'thinking' || block.text.trim() === '') return [];
    return [{ type: 'thinking', ...at, payload: { text: block.text } }];
  });
}

function leftOutEvents({ turnId }: Run, leftOut: readonly string[]): DraftEvent[] {
  if (leftOut.length === 0) return [];
  const message = `Of the model’s answer this could not be used: ${leftOut.join(', ')}.`;
  return [{ type: 'error', turnId, payload: { message, code: 'left_out' } }];
}

function withUsageCost(
  { usage, model }: RunCommandOf<'model.answered'>,
  { prices = [] }: RunFacts,
): Usage {
  const costUsd = model === undefined ? undefined : findCostUsd(prices, model, usage);
  return { ...usage, ...(costUsd !== undefined && { costUsd }) };
}

/** With the pauses below, some eight minutes. */
const MAX_ATTEMPTS = 10;

const ANSWER_LOST = 'The server stopped while the model was answering, again and again.';

export function applyModelFailure(
  draft: RunDraft,
  run: Run,
  failure: Omit<ModelFailed, 'type'>,
  facts: RunFacts,
): RunDraft {
  const { reason, message } = failure;
  if (isTooLong(failure)) return forceSummary(draft, run, facts);
  const attempt = run.attempt + 1;
  if (failure.retry === 'never' || attempt >= MAX_ATTEMPTS) {
    return endFailedTurn(draft, run, { code: failureCode(reason), message }, facts);
  }
  return pauseBeforeRetry(draft, { ...run, attempt }, { failure, attempt }, facts);
}

/** Ends the pause before the request goes out, so that a process that dies during the request counts as lost. */
export function endRetryPause(draft: RunDraft, run: Run, now: number): RunDraft {
  if (run.retryAt === null || run.retryAt > now) return draft;
  return setRun(draft, { ...run, retryAt: null });
}

/** Counts an answer whose process died: an answer that kills the server each time would be paid for without end. */
export function countLostAnswer(draft: RunDraft, run: Run, facts: RunFacts): RunDraft {
  const attempt = run.attempt + 1;
  return attempt >= MAX_ATTEMPTS
    ? endFailedTurn(draft, run, { code: 'model_lost', message: ANSWER_LOST }, facts)
    : setRun(draft, { ...run, attempt });
}

function failureCode(reason: FailureReason): string {
  return `model_${reason}`;
}

/**
 * Logs the text so far of an interrupted answer, before the end of its turn. Previews are stored nowhere, so without it
 * an interrupt would remove text that a person has read. The model does not receive it in the next turn: a partial
 * answer cannot be sent back in place of the whole.
 */
export function keepPartialAnswer(
  draft: SessionDraft,
  run: Run | null,
  { partialAnswer, now }: Pick<RunFacts, 'partialAnswer' | 'now'>,
): SessionDraft {
  if (!isActiveRun(run) || run.status !== 'model' || partialAnswer === undefined) return draft;
  const end = draft.events.findIndex(
    ({ type, turnId }) => type === 'turn_ended' && turnId === run.turnId,
  );
  const text = cutText(partialAnswer, LIMITS.eventTextChars);
  if (end === -1 || text.trim() === '') return draft;
  const kept: DraftEvent = {
    type: 'assistant_text',
    turnId: run.turnId,
    responseId: responseIdOf(run),
    payload: { text, partial: true },
  };
  return insertEventsBefore(draft, end, (one) => addEvents(one, [kept], now));
}

export type NextStep =
  | { readonly next: 'run_tools' }
  /** With `userText` as the next message: some models do not continue their own answer. */
  | { readonly next: 'call_again'; readonly userText: string }
  /** `notice` tells the person that the answer is incomplete. */
  | { readonly next: 'end'; readonly notice?: string };

const STOP_NOTICES: Record<Exclude<StopReason, 'tool_use' | 'pause_turn'>, string | undefined> = {
  end_turn: undefined,
  stop_sequence: undefined,
  max_tokens: 'The answer reached the limit of output tokens and was cut off.',
  refusal: 'The model declined to answer this.',
  model_context_window_exceeded:
    'The conversation has become too long for the model. Start a new one, or clear the context.',
};

/**
 * Calls run for the stop reason `tool_use` alone. A truncated answer can hold a call whose input looks complete and is
 * not: a call that was cut before its first character reads as a call without input. Such calls get an error.
 */
export function chooseNextStep(
  message: AssistantMessage,
  stopReason: StopReason | UnknownStop,
): NextStep {
  if (typeof stopReason !== 'string') {
    const notice = `The model stopped for an unknown reason: ${stopReason.unknown}.`;
    return { next: 'end', notice };
  }
  switch (stopReason) {
    case 'tool_use':
      return toolUsesIn(message).length > 0
        ? { next: 'run_tools' }
        : { next: 'end', notice: 'The model announced a tool call and made none.' };
    case 'pause_turn':
      return { next: 'call_again', userText: 'Please go on.' };
    default: {
      const notice = STOP_NOTICES[stopReason];
      return notice === undefined ? { next: 'end' } : { next: 'end', notice };
    }
  }
}
