/** The pause before a failed request to the model goes out again: stored, visible, and longer each time. */
import { addEvents } from '../../core/session-draft.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import type { ModelFailed } from '../model.ts';
import type { Run } from './run.ts';
import { type RunDraft, type RunFacts, setRun } from './run-draft.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 120_000;
/** An API may ask for a longer pause than a person waits; a person can retry the turn at any time. */
const LONGEST_ASKED_MS = 3_600_000;

interface FailedAttempt {
  readonly failure: Pick<ModelFailed, 'message' | 'retryAfterMs'>;
  /** From 1. */
  readonly attempt: number;
}

export function pauseBeforeRetry(
  draft: RunDraft,
  run: Run,
  { failure, attempt }: FailedAttempt,
  facts: RunFacts,
): RunDraft {
  const pauseMs = retryPauseMs(attempt, failure.retryAfterMs);
  const seconds = Math.ceil(pauseMs / 1_000);
  const tryAgain = `Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  const retrying: DraftEvent = {
    type: 'session_status',
    turnId: run.turnId,
    payload: { status: 'retrying', message: `${failure.message} ${tryAgain}` },
  };
  const waiting: Run = { ...run, retryAt: facts.now + pauseMs };
  return setRun(addEvents(draft, [retrying], facts.now), waiting);
}

function retryPauseMs(attempt: number, askedMs = 0): number {
  const own = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return Math.max(own, Math.min(askedMs, LONGEST_ASKED_MS));
}
