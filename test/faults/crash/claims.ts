/**
 * Claims: the replies that clients received, in a form that can be checked against the log.
 *
 * I1 and I2: the effect of an acknowledged request is in the log, with the acknowledged outcome. I6: the effect is
 * there once, however often the request was sent, and a refused request has no effect. BATCH: what a batch asks has the
 * one time of its commit.
 */
import type { Outcome } from '../../../src/protocol/schema/interaction.ts';
import type { LogCopy } from './log-copy.ts';

export interface Claim {
  /** Describes the request in a finding. */
  readonly what: string;
  readonly mark?: string;
  /** How often the mark must be in the log; `waiting` is once, or still queued, or dropped by a clear. */
  readonly times?: number | 'at most once' | 'waiting';
  readonly interactionId?: string;
  readonly outcome?: Outcome;
  readonly extended?: true;
  /** Marks of openings that one commit must hold. */
  readonly inOneCommit?: readonly string[];
}

/** The broken invariant and its evidence. */
export function problemWith(claim: Claim, copy: LogCopy): [rule: string, text: string] | undefined {
  const { mark, times, interactionId, outcome } = claim;
  if (mark !== undefined && times !== undefined) {
    const found = copy.marks.get(mark) ?? 0;
    const wanted = countFits(found, times, mark, copy);
    if (!wanted) {
      const rule = found === 0 ? 'I1' : 'I6';
      return [rule, `${claim.what}: ${mark} is ${found} times in the log, not ${times}`];
    }
  }
  const askedAt = new Set(claim.inOneCommit?.map((mark) => copy.askedAt.get(mark)));
  if (askedAt.size > 1) {
    return ['BATCH', `${claim.what}: asked at ${[...askedAt].join(' and ')}`];
  }
  if (interactionId === undefined) return undefined;
  const known = copy.interactions.get(interactionId);
  if (known === undefined) return ['I1', `${claim.what}: ${interactionId} is not in the log`];
  if (outcome !== undefined && known.outcome !== outcome) {
    return [
      'I2',
      `${claim.what}: ${interactionId} is ${known.outcome}, and was said to be ${outcome}`,
    ];
  }
  if (claim.extended === true && !known.isExtended) {
    return ['I2', `${claim.what}: ${interactionId} was not extended`];
  }
  return undefined;
}

function countFits(found: number, times: Claim['times'], mark: string, copy: LogCopy): boolean {
  if (times === 'at most once') return found <= 1;
  if (times !== 'waiting') return found === times;
  const isWaiting = copy.queued.has(mark) || copy.dropped.has(mark);
  return found === (isWaiting ? 0 : 1);
}
