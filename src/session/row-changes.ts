/** Finds which rows a decision changes beside the log: touched and reassigned records, settings and rules. */
import { isReassignment, type SessionDraft } from '../core/session-draft.ts';
import type { SessionState } from '../core/state.ts';
import type { Commit } from './ports.ts';

export type RowChanges = Pick<
  Commit,
  'records' | 'info' | 'rulesAdded' | 'rulesRevoked' | 'reassigned'
>;

export function findRowChanges(
  before: SessionState | null,
  { state: after, records, events }: SessionDraft,
): RowChanges {
  const rulesBefore = before?.rules ?? [];
  const reassigned = events.filter(isReassignment).flatMap(({ payload }) => {
    const { interactionId, reassignedTo: to } = payload;
    return to === undefined ? [] : [{ interactionId, to }];
  });
  return {
    records: [...records.values()],
    ...(reassigned.length > 0 && { reassigned }),
    ...(before?.info !== after.info && { info: after.info }),
    rulesAdded: after.rules.filter((rule) => !rulesBefore.includes(rule)),
    rulesRevoked: rulesBefore
      .filter((rule) => !after.rules.some((kept) => kept.id === rule.id))
      .map((rule) => rule.id),
  };
}
