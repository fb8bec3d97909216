/**
 * What a client was told, in the form in which the log can be asked whether it is true.
 *
 * I1 and I2: what was acknowledged is there, with the outcome that was said. I6: it is there once,
 * although it may have been sent many times; and what was refused has left nothing.
 */
import type { Outcome } from '../../../src/protocol/schema/interaction.ts';
import type { LogCopy } from './log-copy.ts';

export interface Claim {
  /** The request, for people. */
  readonly what: string;
  readonly mark?: string;
  /** How often the mark must be in the log; `waiting` is once, or still queued, or dropped by a clear. */
  readonly times?: number | 'at most once' | 'waiting';
  readonly interactionId?: string;
  readonly outcome?: Outcome;
  readonly extended?: true;
}

/** What is wrong, as the invariant that is broken and the evidence. */
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
