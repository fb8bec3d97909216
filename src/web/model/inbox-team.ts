/**
 * What a row of the inbox says of the people: how many have approved, who looks at it, and whether this person is asked. Beside
 * the first load; the server alone decides who may answer.
 */
import { isSameName } from '../../protocol/same-name.ts';
import type { InboxEntry } from '../../protocol/types.ts';
import { audienceNames, type AskedAudience } from './audience.ts';
import { t } from './language.ts';
import { personName } from './names.ts';
import type { Person } from './person.ts';

export interface RowTeam {
  readonly votes: string | undefined;
  /** The server refuses the decision of this person. Without this line a row is theirs to decide. */
  readonly notMine: string | undefined;
  readonly claim: string | undefined;
}

export type AskedReader = Pick<Person, 'subject' | 'scopes' | 'isOfKey'>;

type TeamEntry = Pick<
  InboxEntry,
  'audience' | 'quorum' | 'notRequester' | 'votes' | 'claim' | 'openedBy'
>;

export function teamOf(
  entry: TeamEntry,
  me: AskedReader,
  groups: readonly string[] | undefined,
  now: number,
): RowTeam {
  return {
    votes: votesText(entry),
    notMine: notMineText(entry, me, groups),
    claim: claimText(entry, me, now),
  };
}

function votesText({ quorum, votes = [] }: TeamEntry): string | undefined {
  return quorum && t('{given} of {count}', { given: votes.length, count: quorum.approvals });
}

function notMineText(
  { audience, notRequester, openedBy, votes = [] }: TeamEntry,
  me: AskedReader,
  groups: readonly string[] | undefined,
): string | undefined {
  if (notRequester === true && isSameName(openedBy.subject, me.subject))
    return t('Another person decides');
  if (votes.some(({ by }) => isSameName(by.subject, me.subject))) return t('You approved');
  // Unknown groups hide nothing: the server refuses whom it must.
  return audience !== undefined && isAskedFor(audience, me, groups) === false
    ? t('For {audience}', { audience: audienceNames(audience) })
    : undefined;
}

function claimText(
  { claim }: TeamEntry,
  me: Pick<Person, 'subject'>,
  now: number,
): string | undefined {
  if (claim === undefined || claim.until <= now) return undefined;
  return claim.by.subject === me.subject
    ? t('You are looking')
    : t('{name} is looking', { name: personName(claim.by) });
}

/** For a person who is not asked. */
export function outsiderWords(audience: AskedAudience): string {
  return t('This request is for {audience}. You can read it.', {
    audience: audienceNames(audience, t(' and ')),
  });
}

/** Undefined while it depends on the groups of the person and these are not known. */
export function isAskedFor(
  { subjects = [], groups = [] }: AskedAudience,
  { subject, scopes, isOfKey }: AskedReader,
  ownGroups: readonly string[] | undefined,
): boolean | undefined {
  if (scopes.includes('admin')) return true;
  if (isOfKey === true) return false;
  if (subjects.some((one) => isSameName(one, subject))) return true;
  if (groups.length === 0) return false;
  return ownGroups && groups.some((name) => ownGroups.includes(name));
}
