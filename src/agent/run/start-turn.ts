/**
 * Starts a turn in the commit that logs its message: a crash between two commits would leave the message unanswered.
 */
import { drainEvents, addEvents, insertEventsBefore } from '../../core/session-draft.ts';
import type { DraftEvent } from '../../protocol/schema/event.ts';
import { toFileContent, toUserMessage } from '../conversation.ts';
import type { UserContent } from '../message.ts';
import { newRun } from './run.ts';
import { addMessage, type RunDraft, type RunFacts, setRun } from './run-draft.ts';
import { settleByCancel } from '../../core/settle.ts';
import { listOpenInteractions } from '../../core/state.ts';
import type { Settler } from '../../protocol/schema/actor.ts';
import type { QueuedMessage } from '../../protocol/schema/session.ts';
import { endUnfinishedCalls } from './end-turn.ts';

type UserMessageEvent = Extract<DraftEvent, { type: 'user_message' }>;
type PlanResponse = Extract<DraftEvent, { type: 'interaction_response' }>['payload'];

export function turnIdFrom(facts: Pick<RunFacts, 'freshId'>): string {
  return `turn_${facts.freshId}`;
}

/** Unassigned messages start a turn; `turn_started` stands before the first of them. */
export function startTurnFromMessages(draft: RunDraft, facts: RunFacts): RunDraft {
  const { agent, turn } = draft.state.info;
  const isNew = (event: DraftEvent) => event.type === 'user_message' && event.turnId === undefined;
  const first = draft.events.findIndex(isNew);
  if (agent === null || turn !== null || first === -1) return draft;
  const turnId = turnIdFrom(facts);
  const started: DraftEvent = { type: 'turn_started', turnId, payload: {} };
  const events = draft.events.map((event) => (isNew(event) ? { ...event, turnId } : event));
  const begun = insertEventsBefore({ ...draft, events }, first, (one) =>
    addEvents(one, [started], facts.now),
  );
  const content = messageContent(draft.events.filter(isNew));
  return setRun(addMessage(begun, { role: 'user', content }), newRun(turnId, facts.timeouts));
}

/** Logs the queued messages: they go to the model with the results of the turn, or start the next one. */
export function addQueuedMessages(
  draft: RunDraft,
  turnId: string | undefined,
  now: number,
): RunDraft {
  const events = drainEvents(draft.state.info.queued);
  const named = events.map((event) =>
    event.type === 'user_message' && turnId !== undefined ? { ...event, turnId } : event,
  );
  return addEvents(draft, named, now);
}

/** What the messages among these events are for the model. */
export function messageContent(events: readonly DraftEvent[]): UserContent[] {
  return events
    .filter((event): event is UserMessageEvent => event.type === 'user_message')
    .flatMap(({ payload }): UserContent[] => [
      { type: 'text', text: payload.text },
      ...toFileContent(payload.attachments),
    ]);
}

const INTRODUCTION = 'I approved this plan. Carry it out.';
const WITHOUT_PLAN = 'I approved your plan. Carry it out.';

function keepQueueEvents(queued: readonly QueuedMessage[], by: Settler): DraftEvent[] {
  if (queued.length === 0) return [];
  return [{ type: 'session_updated', payload: { queued: [...queued], by } }];
}

/**
 * Starts a turn from a plan that was approved with a clear context (PLN-6): the old turn ends with its open
 * interactions, the conversation is cleared, and the new turn knows the plan alone. Two commits could leave a session
 * without either conversation.
 */
export function startTurnFromPlan(
  draft: RunDraft,
  plan: string | undefined,
  { settledBy: by, attachments }: Pick<PlanResponse, 'settledBy' | 'attachments'>,
  facts: RunFacts,
): RunDraft {
  if (draft.run === null) return draft;
  const { turnId: old, usage } = draft.run;
  const { queued } = draft.state.info;
  const turnId = turnIdFrom(facts);
  const text = plan === undefined ? WITHOUT_PLAN : `${INTRODUCTION}\n\n${plan}`;
  const left = listOpenInteractions(draft.state).filter((one) => one.turnId === old);
  const cancelled = left.flatMap((one) =>
    settleByCancel(facts.kinds, one, { now: facts.now, by, reason: 'Context cleared' }),
  );
  const closed = endUnfinishedCalls(addEvents(draft, cancelled, facts.now), facts);
  const events: DraftEvent[] = [
    { type: 'turn_ended', turnId: old, payload: { reason: 'cleared', usage } },
    { type: 'context_cleared', payload: { by } },
    // Clearing drops the queue; these messages belong to the new turn.
    ...keepQueueEvents(queued, by),
    { type: 'turn_started', turnId, payload: {} },
    {
      type: 'user_message',
      turnId,
      payload: {
        text,
        subject: by.subject,
        messageId: facts.freshId,
        ...(attachments && { attachments }),
      },
    },
  ];
  const next = addEvents(closed, events, facts.now);
  return {
    ...next,
    run: newRun(turnId, facts.timeouts),
    messages: [
      { role: 'user', content: [...toUserMessage(text).content, ...toFileContent(attachments)] },
    ],
    clearsConversation: true,
  };
}
