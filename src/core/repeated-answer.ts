/**
 * Whether a late answer repeats the answer that settled the record, because the first reply was lost.
 *
 * The sender of a repeat must not see another person as the winner. The comparison covers the sender and the
 * settlement: a second, different decision of the same person is late like any other.
 */
import type { Caller } from '../protocol/caller.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import { canonicalize } from '../protocol/canonical-json.ts';
import type { AnswerEffect, Kind } from './kinds/kind.ts';

/** The fields that an answer decides; the other fields of a settled record say by whom, when and how. */
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
  if (!isSettledBy(record, caller) && !hasVoted(record, caller)) return false;
  const parsed = kind.answer.safeParse(input);
  if (!parsed.success) return false;
  const effect = kind.interpret(restoreOpenRecord(record), parsed.data);
  return effect.ok && effect.type === 'settle' && matchesSettlement(effect, record);
}

/** A renewed token is another credential of the same subject, made by the same key. */
export function isSettledBy({ settledBy }: Interaction, { subject, via, key }: Caller): boolean {
  if (settledBy?.subject !== subject) return false;
  if (settledBy.key !== undefined) return settledBy.key === key;
  return settledBy.via === via || settledBy.via === 'text';
}

/** The record as the last answer found it: questions that were answered step by step stand at their last step. */
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

/** Of a request that several people approved, each of them did. */
function hasVoted({ votes = [] }: Interaction, { subject }: Caller): boolean {
  return votes.some(({ by }) => by.subject === subject);
}
