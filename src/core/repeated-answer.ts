/**
 * Whether a late answer is the very one that settled the record: a repeat whose first reply was lost.
 *
 * Its sender must not be shown somebody else as the winner. Compared are who gave it and what it
 * settles; the same person who decides otherwise the second time is late like anybody.
 */
import type { Caller } from '../protocol/caller.ts';
import type { Interaction } from '../protocol/schema/interaction.ts';
import type { Json, JsonObject } from '../protocol/json.ts';
import { canonical } from './digest/canonical.ts';
import type { Given, Kind } from './kinds/kind.ts';

/** What an answer decides; everything else in a settled record says who, when and how. */
const DECIDED = ['outcome', 'answers', 'decision', 'values', 'updatedInput', 'reason'] as const;

export function isRepeatedAnswer(
  record: Interaction,
  kind: Kind,
  words: JsonObject,
  caller: Caller,
): boolean {
  if (!isSettledBy(record, caller)) return false;
  const parsed = kind.answer.safeParse(words);
  if (!parsed.success) return false;
  const given = kind.give(beforeItsEnd(record), parsed.data);
  return given.ok && given.type === 'settle' && settlesAs(given, record);
}

/** A token that was renewed is another credential of the same subject, from the same key. */
export function isSettledBy({ settledBy }: Interaction, { subject, via, key }: Caller): boolean {
  if (settledBy?.subject !== subject) return false;
  if (settledBy.key !== undefined) return settledBy.key === key;
  return settledBy.via === via || settledBy.via === 'text';
}

/** As the last of its answers found it; a question that was answered step by step stood at its last step. */
export function beforeItsEnd(record: Interaction): Interaction {
  const { answers } = record;
  if (answers === undefined) return { ...record, status: 'open' };
  const current = Object.keys(answers).length - 1;
  return { ...record, status: 'open', partialAnswers: answers, current };
}

function settlesAs(given: Extract<Given, { type: 'settle' }>, record: Interaction): boolean {
  return DECIDED.every((name) => textOf(given[name]) === textOf(record[name]));
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : canonical(value as Json);
}
