/** Whether a person is asked, and the words if not. Beside the first load; the server alone decides who may answer. */
import { type AskedAudience, audienceNames } from './audience.ts';
import type { Person } from './person.ts';

/** For a person who is not asked. */
export function outsiderWords(audience: AskedAudience): string {
  return `This request is for ${audienceNames(audience, ' and ')}. You can read it.`;
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
