/** An agent that is shown a settled record has taken its outcome; the record says when, once. */
import { type Caller, isAgentOf } from '../protocol/caller.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { SessionStore } from './ports.ts';

export function taken(
  store: SessionStore,
  record: Interaction,
  caller: Caller,
  now: number,
): Interaction {
  const isNews = record.status === 'settled' && record.deliveredAt === undefined;
  if (!isNews || !isAgentOf(caller, record.openedBy)) return record;
  store.markTaken(record.interactionId, now);
  return { ...record, deliveredAt: now };
}
