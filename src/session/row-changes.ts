/** Finds which rows a decision changes beside the log: touched records, settings and rules. */
import type { SessionDraft } from '../core/session-draft.ts';
import type { SessionState } from '../core/state.ts';
import type { Commit } from './ports.ts';

export type RowChanges = Pick<Commit, 'records' | 'info' | 'rulesAdded' | 'rulesRevoked'>;

export function findRowChanges(
  before: SessionState | null,
  { state: after, records }: SessionDraft,
): RowChanges {
  const rulesBefore = before?.rules ?? [];
  return {
    records: [...records.values()],
    ...(before?.info !== after.info && { info: after.info }),
    rulesAdded: after.rules.filter((rule) => !rulesBefore.includes(rule)),
    rulesRevoked: rulesBefore
      .filter((rule) => !after.rules.some((kept) => kept.id === rule.id))
      .map((rule) => rule.id),
  };
}
