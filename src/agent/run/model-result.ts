/** The model has answered: its words are logged, its calls asked for, and the turn goes on or ends. */
import { addEvents, insertBefore, type SessionDraft } from '../../core/session-draft.ts';
import { logIsFull } from '../../core/rejections.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { afterAnswer } from './next-step.ts';
import { userText } from '../conversation.ts';
import { type AssistantBlock, type AssistantMessage, toolUsesIn } from '../message.ts';
import type { FailureReason, ModelFailed, ModelUsage } from '../model.ts';
import { askForCall, refused } from './gate-tool-call.ts';
import { complete, fail, resultOf } from './end-turn.ts';
import { stepLimit } from './send-results.ts';
import { isActive, responseIdOf, type Run } from './run.ts';
import type { RunCommandOf } from './run-command.ts';
import { addMessage, type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { LIMITS } from '../../protocol/limits.ts';

const NOT_RUN = 'Not run: the answer ended before it was whole.';
/** Of an answer with a few calls, each asked about. */
const EVENTS_OF_AN_ANSWER = 50;

export function modelAnswered(
  draft: RunDraft,
  run: Run,
  command: RunCommandOf<'model.answered'>,
  facts: RunFacts,
): RunDraft {
  const { message, stopReason, leftOut } = command;
  const full = logIsFull(draft.state, EVENTS_OF_AN_ANSWER);
  if (full !== undefined) return fail(draft, run, full, facts);
  const counted: Run = {
    ...run,
    step: run.step + 1,
    attempt: 0,
    retryAt: null,
    usage: sum(run.usage, command.usage),
  };
  const told = addEvents(draft, wordsOf(run, message.content), facts.now);
  const noted =
    leftOut.length === 0 ? told : addEvents(told, [leftOutEvent(run, leftOut)], facts.now);
  const said = setRun(addMessage(noted, message), counted);
  const next = afterAnswer(message, stopReason);
  switch (next.next) {
    case 'call_again': {
      const asked = addMessage(withoutCalls(said, run, message, facts), userText(next.userText));
      const limit = stepLimit(asked, counted);
      return limit === undefined ? setRun(asked, counted) : fail(asked, counted, limit, facts);
    }
    case 'run_tools': {
      const asking = setRun(said, { ...counted, status: 'tools' });
      return toolUsesIn(message).reduce((one, use) => askForCall(one, run, use, facts), asking);
    }
    case 'end':
      return complete(withoutCalls(said, run, message, facts), counted, next.notice, facts);
  }
}

/** Calls of an answer that was not whole; the API wants a result for each of them all the same. */
function withoutCalls(
  said: RunDraft,
  run: Run,
  message: AssistantMessage,
  facts: RunFacts,
): RunDraft {
  const uses = toolUsesIn(message);
  const closed = uses.reduce((one, use) => refused(one, run, use, NOT_RUN, facts), said);
  return addMessage(closed, { role: 'user', content: closed.run?.calls.map(resultOf) ?? [] });
}

function wordsOf(run: Run, content: readonly AssistantBlock[]): DraftEvent[] {
  const at = { turnId: run.turnId, responseId: responseIdOf(run) };
  return content.flatMap((block): DraftEvent[] => {
    if (block.type === 'text')
      return [{ type: 'assistant_text', ...at, payload: { text: block.text } }];
    if (block.type !== 'thinking' || block.text.trim() === '') return [];
    return [{ type: 'thinking', ...at, payload: { text: block.text } }];
  });
}

function leftOutEvent({ turnId }: Run, leftOut: readonly string[]): DraftEvent {
  const message = `Of the model’s answer this could not be used: ${leftOut.join(', ')}.`;
  return { type: 'error', turnId, payload: { message, code: 'left_out' } };
}

function sum(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  };
}

/** With the pauses below, some eight minutes. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 120_000;
/** An API may ask for more than anybody waits; a person can have it tried again at any time. */
const LONGEST_ASKED_MS = 3_600_000;

const LOST = 'The server stopped while the model was answering, again and again.';

export function modelFailed(
  draft: RunDraft,
  run: Run,
  failure: Omit<ModelFailed, 'type'>,
  facts: RunFacts,
): RunDraft {
  const { reason, message } = failure;
  const attempt = run.attempt + 1;
  if (failure.retry === 'never' || attempt >= MAX_ATTEMPTS) {
    return fail(draft, run, { code: codeOf(reason), message }, facts);
  }
  const pauseMs = pause(attempt, failure.retryAfterMs);
  const seconds = Math.ceil(pauseMs / 1_000);
  const tryAgain = `Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  const retrying: DraftEvent = {
    type: 'session_status',
    turnId: run.turnId,
    payload: { status: 'retrying', message: `${message} ${tryAgain}` },
  };
  const waiting: Run = { ...run, attempt, retryAt: facts.now + pauseMs };
  return setRun(addEvents(draft, [retrying], facts.now), waiting);
}

/** Noted before the model is asked: a process that dies while it answers was asking, and no longer waiting. */
export function modelDue(draft: RunDraft, run: Run, now: number): RunDraft {
  if (run.retryAt === null || run.retryAt > now) return draft;
  return setRun(draft, { ...run, retryAt: null });
}

/** Counted, because an answer that kills the server each time would be paid for without end. */
export function modelLost(draft: RunDraft, run: Run, facts: RunFacts): RunDraft {
  const attempt = run.attempt + 1;
  return attempt >= MAX_ATTEMPTS
    ? fail(draft, run, { code: 'model_lost', message: LOST }, facts)
    : setRun(draft, { ...run, attempt });
}

function pause(attempt: number, askedMs = 0): number {
  const own = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return Math.max(own, Math.min(askedMs, LONGEST_ASKED_MS));
}

function codeOf(reason: FailureReason): string {
  return `model_${reason}`;
}

/** Cut in the middle of a character, it would end in one that cannot be drawn. */
const HALF_A_CHARACTER = /[\uD800-\uDBFF]$/;

/** Puts the text so far before the event that ends the turn. */
export function keepPartialAnswer(
  draft: SessionDraft,
  run: Run | null,
  { partialAnswer, now }: Pick<RunFacts, 'partialAnswer' | 'now'>,
): SessionDraft {
  if (!isActive(run) || run.status !== 'model' || partialAnswer === undefined) return draft;
  const end = draft.events.findIndex(
    ({ type, turnId }) => type === 'turn_ended' && turnId === run.turnId,
  );
  const text = partialAnswer.slice(0, LIMITS.eventTextChars).replace(HALF_A_CHARACTER, '');
  if (end === -1 || text.trim() === '') return draft;
  const kept: DraftEvent = {
    type: 'assistant_text',
    turnId: run.turnId,
    responseId: responseIdOf(run),
    payload: { text, partial: true },
  };
  return insertBefore(draft, end, (one) => addEvents(one, [kept], now));
}
