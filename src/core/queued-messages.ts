/**
 * Messages that arrive while only approvals are open wait in a queue, and reach the agent once no interaction is open.
 *
 * The queue is emptied in the same commit as the settlement that makes this possible. With two commits, a crash between
 * them would leave a message that the agent never reads.
 */
import type { DraftEvent } from '../protocol/schema/event.ts';
import type { QueuedMessage } from '../protocol/schema/session.ts';
import { addEvents, type SessionDraft } from './session-draft.ts';
import { isBusy } from './state.ts';

export function drainQueue(draft: SessionDraft, now: number): SessionDraft {
  const { state } = draft;
  const { queued } = state.info;
  const isWanted = queued.length > 0 && state.open.size === 0 && !isBusy(state);
  return isWanted ? addEvents(draft, drainEvents(queued), now) : draft;
}

export function drainEvents(queued: readonly QueuedMessage[]): DraftEvent[] {
  const messages = queued.map(
    ({ id, text, subject, attachments }): DraftEvent => ({
      type: 'user_message',
      payload: { text, subject, messageId: id, ...(attachments && { attachments }) },
    }),
  );
  const emptied: DraftEvent = {
    type: 'session_updated',
    payload: { queued: [], by: { subject: 'system', via: 'system' } },
  };
  return [emptied, ...messages];
}
