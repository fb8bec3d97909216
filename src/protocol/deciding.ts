/** Who decides on a request, as programs that ask through another convention write it. */
import type { Audience, Quorum, StoredQuorum, Vote } from './types.ts';

export interface Deciding {
  /** How many people must approve; for an approval or a plan. */
  readonly approvals?: number | undefined;
  /** Who is asked; everyone if left out. */
  readonly audience?: Audience | undefined;
  /** Who asks may not decide. */
  readonly notRequester?: boolean | undefined;
}

interface DecidingFields {
  readonly quorum?: Quorum;
  readonly audience?: Audience;
  readonly notRequester?: true;
}

/** One setting may serve requests of every kind: only an approval and a plan take the approvals of several people. */
export function decidingFields(
  kind: unknown,
  { approvals, audience, notRequester }: Deciding,
): DecidingFields {
  const takesVotes = kind === 'approval' || kind === 'plan_review';
  return {
    ...(approvals !== undefined && takesVotes && { quorum: { approvals } }),
    ...(audience !== undefined && { audience }),
    ...(notRequester === true && { notRequester }),
  };
}

const GROUP = 'group:';

/** `ann, group:ops`; undefined while no name is written. */
export function readAudienceNames(text: string): Audience | undefined {
  const all = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const groups = all
    .filter((name) => name.startsWith(GROUP))
    .map((name) => name.slice(GROUP.length));
  const subjects = all.filter((name) => !name.startsWith(GROUP));
  if (all.length === 0) return undefined;
  return {
    ...(subjects.length > 0 && { subjects }),
    ...(groups.length > 0 && { groups }),
  };
}

/** How far a request is that several people must approve, in words: "1 of 2 approvals: ann". */
export function describeVotes({ approvals }: StoredQuorum, votes: readonly Vote[] = []): string {
  const names = votes.map(({ by }) => by.subject).join(', ');
  const many = approvals === 1 ? 'approval' : 'approvals';
  return `${votes.length} of ${approvals} ${many}${names === '' ? '' : `: ${names}`}`;
}
