/**
 * The model did not answer. A busy one is asked again with growing pauses, kept in storage and seen by everyone; what
 * would fail again the same way ends the turn.
 */
import { addEvents } from '../../core/session-draft.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import type { FailureReason, ModelFailed } from '../model.ts';
import { fail } from './end-turn.ts';
import type { Run } from './run.ts';
import { type RunDraft, type RunFacts, setRun } from './run-draft.ts';

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
