/** What a run of events changes in storage, found by comparing before and after. */
import { foldInteraction } from '../core/evolve.ts';
import type { SessionState } from '../core/state.ts';
import type { SessionEvent } from '../protocol/schema/event.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Commit } from './ports.ts';

export type Changes = Pick<Commit, 'records' | 'info' | 'rulesAdded' | 'rulesRevoked'>;

export function changesOf(
  before: SessionState | null,
  after: SessionState,
  events: readonly SessionEvent[],
): Changes {
  const rulesBefore = before?.rules ?? [];
  return {
    records: touchedRecords(before, events),
    ...(before?.info !== after.info && { info: after.info }),
    rulesAdded: after.rules.filter((rule) => !rulesBefore.includes(rule)),
    rulesRevoked: rulesBefore
      .filter((rule) => !after.rules.some((kept) => kept.id === rule.id))
      .map((rule) => rule.id),
  };
}

function touchedRecords(
  before: SessionState | null,
  events: readonly SessionEvent[],
): Interaction[] {
  const touched = new Map<string, Interaction>();
  for (const event of events) {
    if (!event.type.startsWith('interaction_') || event.type === 'interaction_pending') continue;
    const { interactionId } = event.payload as { interactionId: string };
    const known = touched.get(interactionId) ?? before?.open.get(interactionId);
    const record = foldInteraction(known, event);
    if (record === undefined)
      throw new Error(`${event.type} for ${interactionId}, which is not open`);
    touched.set(interactionId, record);
  }
  return [...touched.values()];
}
