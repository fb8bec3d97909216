/**
 * Carries what the core decided into the run, with the results of its calls before the end of their turn.
 *
 * An interrupt, `/clear` and a delete end the turn in the events that the core decides. Results that followed the end
 * would tell of calls that go on after their turn, and a reader who stops at the end would see calls without any.
 */
import { insertBefore } from '../../core/session-draft.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { closeCalls } from './close-calls.ts';
import { isActive } from './run.ts';
import type { RunDraft, RunFacts } from './run-draft.ts';
import { settleCalls } from './settle-calls.ts';

export function settleBeforeEnd(draft: RunDraft, facts: RunFacts): RunDraft {
  const end = isActive(draft.run) ? draft.events.findIndex(endsTurn) : -1;
  if (end === -1) return settleCalls(draft, facts);
  return insertBefore(draft, end, (one) => closeCalls(settleCalls(one, facts), facts));
}

function endsTurn({ type }: DraftEvent): boolean {
  return type === 'turn_ended' || type === 'context_cleared';
}
