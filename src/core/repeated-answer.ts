/**
 * Whether a late answer is the very one that settled the record: a repeat whose first reply was lost.
 *
 * Its sender must not be shown somebody else as the winner. Compared are who gave it and what it
 * settles; the same person who decides otherwise the second time is late like anybody.
 */
import type { Caller } from '../protocol/caller.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import { canonicalize } from './digest/canonical.ts';
import type { AnswerEffect, Kind } from './kinds/kind.ts';

/** What an answer decides; everything else in a settled record says who, when and how. */
const DECIDED_FIELDS = [
  'outcome',
  'answers',
  'decision',
  'values',
  'updatedInput',
  'reason',
] as const;

export function isRepeatedAnswer(
  record: Interaction,
  kind: Kind,
  input: JsonObject,
  caller: Caller,
): boolean {
  if (!isSettledBy(record, caller)) return false;
  const parsed = kind.answer.safeParse(input);
  if (!parsed.success) return false;
  const effect = kind.interpret(restoreOpenRecord(record), parsed.data);
  return effect.ok && effect.type === 'settle' && matchesSettlement(effect, record);
}

/** A token that was renewed is another credential of the same subject, from the same key. */
export function isSettledBy({ settledBy }: Interaction, { subject, via, key }: Caller): boolean {
  if (settledBy?.subject !== subject) return false;
  if (settledBy.key !== undefined) return settledBy.key === key;
  return settledBy.via === via || settledBy.via === 'text';
}

/** As the last of its answers found it; a question that was answered step by step stood at its last step. */
export function restoreOpenRecord(record: Interaction): Interaction {
  const { answers } = record;
  if (answers === undefined) return { ...record, status: 'open' };
  const current = Object.keys(answers).length - 1;
  return { ...record, status: 'open', partialAnswers: answers, current };
}

function matchesSettlement(
  effect: Extract<AnswerEffect, { type: 'settle' }>,
  record: Interaction,
): boolean {
  return DECIDED_FIELDS.every(
    (name) => canonicalOrEmpty(effect[name]) === canonicalOrEmpty(record[name]),
  );
}

function canonicalOrEmpty(value: unknown): string {
  return value === undefined || value === null ? '' : canonicalize(value as Json);
}
