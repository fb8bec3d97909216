/**
 * Carries what the core decided into the run, with the results of its calls before the end of their turn.
 *
 * An interrupt, `/clear` and a delete end the turn in the events that the core decides. Results that followed the end
 * would tell of calls that go on after their turn, and a reader who stops at the end would see calls without any.
 */
import type { SessionState } from '../../core/state.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { closeCalls } from './close-calls.ts';
import { isActive, type Run } from './run.ts';
import { draftOf, emit, type RunDraft, type RunFacts } from './run-draft.ts';
import { settleCalls } from './settle-calls.ts';

export function settleBeforeEnd(
  state: SessionState,
  run: Run | null,
  events: readonly DraftEvent[],
  facts: RunFacts,
): RunDraft {
  const end = isActive(run) ? events.findIndex(endsTurn) : -1;
  if (end === -1) return settleCalls(draftOf(state, run, events, facts.now), facts);
  const settled = settleCalls(draftOf(state, run, events.slice(0, end), facts.now), facts);
  return emit(closeCalls(settled, facts), events.slice(end), facts.now);
}

function endsTurn({ type }: DraftEvent): boolean {
  return type === 'turn_ended' || type === 'context_cleared';
}
