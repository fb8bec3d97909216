/** Whom a request is for, in words. */
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { Interaction } from '../../protocol/types.ts';
import { t } from './language.ts';
import { nameOfSubject } from './names.ts';

export type AskedAudience = NonNullable<Interaction['audience']>;

/** A screen of names; after an escalation there may be 64. */
const NAMES_SHOWN = 10;

/** "ana, group ops", or "ana and group ops" where the last one is joined by a word. */
export function audienceNames(
  { subjects = [], groups = [], targets = [] }: AskedAudience,
  lastJoin = ', ',
): string {
  const names = [
    ...subjects.map(nameOfSubject),
    ...groups.map((name) => t('group {name}', { name })),
    ...targets.map((name) => t('target {name}', { name })),
  ];
  const more = names.length - NAMES_SHOWN;
  if (more > 0) names.splice(NAMES_SHOWN, more, t('{count} more', { count: more }));
  const last = names.pop() ?? '';
  return escapeInvisible(names.length === 0 ? last : names.join(', ') + lastJoin + last);
}
