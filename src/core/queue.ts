/**
 * Text that came while only approvals were open: kept, and said to the agent once nothing is open.
 *
 * It happens in the commit of the settlement that clears the way; otherwise a crash in between
 * would leave a message that nobody reads.
 */
import type { DraftEvent } from '../protocol/schema/event.ts';
import type { QueuedMessage } from '../protocol/schema/session.ts';
import type { Facts } from './facts.ts';
import { preview } from './stamp.ts';
import { isBusy, type SessionState } from './state.ts';

export function withQueueDrained(
  state: SessionState,
  events: readonly DraftEvent[],
  facts: Pick<Facts, 'now'>,
): DraftEvent[] {
  if (state.info.queued.length === 0) return [...events];
  const after = preview(state, events, facts.now);
  const isWanted = after.open.size === 0 && !isBusy(after);
  if (!isWanted || after.info.queued.length === 0) return [...events];
  return [...events, ...drained(after.info.queued)];
}

export function drained(queued: readonly QueuedMessage[]): DraftEvent[] {
  const messages = queued.map(
    ({ id, text, subject }): DraftEvent => ({
      type: 'user_message',
      payload: { text, subject, messageId: id },
    }),
  );
  const emptied: DraftEvent = {
    type: 'session_updated',
    payload: { queued: [], by: { subject: 'system', via: 'system' } },
  };
  return [emptied, ...messages];
}
