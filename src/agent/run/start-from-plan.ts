/**
 * A plan is approved with a clear context (PLN-6): this turn ends with all that is open in it, what was said is
 * forgotten, and a new turn begins that knows the plan alone. One commit, or a crash would leave a session without
 * either conversation.
 */
import { addEvents } from '../../core/session-draft.ts';
import { settleCancelled } from '../../core/settle.ts';
import { openInOrder } from '../../core/state.ts';
import type { Settler } from '../../protocol/schema/actor.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import type { QueuedMessage } from '../../protocol/schema/session.ts';
import { userText } from '../conversation.ts';
import { turnIdFrom } from './begin-turn.ts';
import { closeCalls } from './close-calls.ts';
import { newRun } from './run.ts';
import { type RunDraft, type RunFacts } from './run-draft.ts';

const INTRODUCTION = 'I approved this plan. Carry it out.';
const WITHOUT_PLAN = 'I approved your plan. Carry it out.';

function keptQueue(queued: readonly QueuedMessage[], by: Settler): DraftEvent[] {
  if (queued.length === 0) return [];
  return [{ type: 'session_updated', payload: { queued: [...queued], by } }];
}

export function startFromPlan(
  draft: RunDraft,
  plan: string | undefined,
  by: Settler,
  facts: RunFacts,
): RunDraft {
  if (draft.run === null) return draft;
  const { turnId: old, usage } = draft.run;
  const { queued } = draft.state.info;
  const turnId = turnIdFrom(facts);
  const text = plan === undefined ? WITHOUT_PLAN : `${INTRODUCTION}\n\n${plan}`;
  const left = openInOrder(draft.state).filter((one) => one.turnId === old);
  const cancelled = left.flatMap((one) =>
    settleCancelled(facts.kinds, one, { now: facts.now, by, reason: 'Context cleared' }),
  );
  const closed = closeCalls(addEvents(draft, cancelled, facts.now), facts);
  const events: DraftEvent[] = [
    { type: 'turn_ended', turnId: old, payload: { reason: 'cleared', usage } },
    { type: 'context_cleared', payload: { by } },
    // Clearing drops what is queued; this text was meant for what comes now.
    ...keptQueue(queued, by),
    { type: 'turn_started', turnId, payload: {} },
    {
      type: 'user_message',
      turnId,
      payload: { text, subject: by.subject, messageId: facts.freshId },
    },
  ];
  const told = addEvents(closed, events, facts.now);
  return { ...told, run: newRun(turnId, facts.timeouts), said: [userText(text)], forgets: true };
}
