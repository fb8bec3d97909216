/** What a screen says of the agent: at work, or waiting for you (PEND-6). */
import type { Replica } from './replica.ts';

/** `idle` is also said while somebody is asked. */
export type SessionStatus = 'idle' | 'working' | 'retrying' | 'deleted';

export function isWaitingForPerson(replica: Replica): boolean {
  return replica.waiting.size > 0;
}

/** A turn runs and nobody is asked anything. */
export function isTyping(replica: Replica): boolean {
  return (replica.session?.turn ?? null) !== null && !isWaitingForPerson(replica);
}

export function statusOf(replica: Replica): SessionStatus {
  if (replica.isDeleted) return 'deleted';
  if (!isTyping(replica)) return 'idle';
  const isRetrying = replica.cursor >= replica.asOf && replica.report?.status === 'retrying';
  return isRetrying ? 'retrying' : 'working';
}
