/**
 * A turn begins in the commit that logs what people said: a crash in between would leave a message that nobody reads.
 */
import { drained } from '../../core/queue.ts';
import { preview } from '../../core/stamp.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { userText } from '../conversation.ts';
import { newRun } from './run.ts';
import { emit, type RunDraft, type RunFacts, say, withRun } from './run-draft.ts';

type UserMessageEvent = Extract<DraftEvent, { type: 'user_message' }>;

export function turnIdFrom(facts: Pick<RunFacts, 'freshId'>): string {
  return `turn_${facts.freshId}`;
}

/** What was said and belongs to no turn begins one; it is put before the first of the messages. */
export function takeMessages(draft: RunDraft, facts: RunFacts): RunDraft {
  const { agent, turn } = draft.state.info;
  const isNew = (event: DraftEvent) => event.type === 'user_message' && event.turnId === undefined;
  const first = draft.events.findIndex(isNew);
  if (agent === null || turn !== null || first === -1) return draft;
  const turnId = turnIdFrom(facts);
  const started: DraftEvent = { type: 'turn_started', turnId, payload: {} };
  const events = draft.events.map((event) => (isNew(event) ? { ...event, turnId } : event));
  const state = preview(draft.before, events.toSpliced(first, 0, started), facts.now);
  const begun = { ...draft, state, events: events.toSpliced(first, 0, started) };
  return withRun(
    say(begun, userText(...textsOf(draft.events.filter(isNew)))),
    newRun(turnId, facts.timeouts),
  );
}

/** What waited for the turn goes along with the results of its tools, or begins the next one. */
export function takeQueue(draft: RunDraft, turnId: string | undefined, now: number): RunDraft {
  const events = drained(draft.state.info.queued);
  const named = events.map((event) =>
    event.type === 'user_message' && turnId !== undefined ? { ...event, turnId } : event,
  );
  return emit(draft, named, now);
}

export function textsOf(events: readonly DraftEvent[]): string[] {
  return events
    .filter((event): event is UserMessageEvent => event.type === 'user_message')
    .map(({ payload }) => payload.text);
}
