/** How far a request is that several people must approve, in words: "1 of 2 approvals: ann". */
import type { StoredQuorum, Vote } from './types.ts';

export function describeVotes({ approvals }: StoredQuorum, votes: readonly Vote[] = []): string {
  const names = votes.map(({ by }) => by.subject).join(', ');
  const many = approvals === 1 ? 'approval' : 'approvals';
  return `${votes.length} of ${approvals} ${many}${names === '' ? '' : `: ${names}`}`;
}
