/** What the agent of a session is doing, in few words (PEND-6). */
import type { Replica } from '../../client/state/replica.ts';
import type { SessionStatus } from '../../client/state/session-status.ts';
import { escapeInvisible } from './escapes.ts';

export function statusText(status: SessionStatus, isWaiting: boolean): string {
  if (isWaiting) return 'Waiting for you';
  switch (status) {
    case 'working':
      return 'Working';
    case 'retrying':
      return 'Trying again';
    case 'deleted':
      return 'Deleted';
    case 'idle':
      return 'Ready';
  }
}

/** Beside the three dots, while a turn runs and nobody is asked. */
export function typingText({ report }: Pick<Replica, 'report'>): string {
  if (report?.status !== 'retrying') return 'Working';
  return escapeInvisible(report.message ?? '') || 'The model is busy. Trying again';
}
