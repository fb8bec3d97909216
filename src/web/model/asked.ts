/** Whether a person is asked, and the words if not. Beside the first load; the server alone decides who may answer. */
import { type AskedAudience, audienceNames } from './audience.ts';
import type { Person } from './person.ts';
import { t } from './language.ts';

/** For a person who is not asked. */
export function outsiderWords(audience: AskedAudience): string {
  return t('This request is for {audience}. You can read it.', {
    audience: audienceNames(audience, t(' and ')),
  });
}

/** Undefined while it depends on the groups of the person and these are not known. */
export function isAskedFor(
  { subjects = [], groups = [] }: AskedAudience,
  { subject, scopes }: Pick<Person, 'subject' | 'scopes'>,
  ownGroups: readonly string[] | undefined,
): boolean | undefined {
  if (scopes.includes('admin') || subjects.includes(subject)) return true;
  if (groups.length === 0) return false;
  return ownGroups && groups.some((name) => ownGroups.includes(name));
}
