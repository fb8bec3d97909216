/**
 * Rate limits for each root, by the platform's binding or by counting in this isolate.
 *
 * The root of a credential is counted, never the credential: a credential that mints others would start a new count
 * with each of them.
 */
import type { RateLimiter } from '../http/ports.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Overrun } from '../session/ports.ts';

/** The part of the platform's rate limit that is used. */
interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

export function bindingLimiter(binding: RateLimitBinding): RateLimiter {
  return {
    async take(root) {
      const { success } = await binding.limit({ key: root });
      return success ? undefined : LIMITS.ratePeriodMs / 1_000;
    },
  };
}

export const noLimiter: RateLimiter = { take: () => undefined };

export function countingLimiter(counts: WindowCounts): RateLimiter {
  return { take: (root) => counts.count(root)?.retryAfterSeconds };
}

/** Counts in fixed windows; the end of a window drops all counts. */
export class WindowCounts {
  readonly #limit: number;
  readonly #now: () => number;
  #windowEnds = 0;
  #counts = new Map<string, number>();

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Counts one; undefined when it is within the limit. */
  count(root: string): Overrun | undefined {
    const at = this.#now();
    if (at >= this.#windowEnds) {
      this.#windowEnds = at + LIMITS.ratePeriodMs;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(root) ?? 0) + 1;
    this.#counts.set(root, count);
    if (count <= this.#limit) return undefined;
    return {
      retryAfterSeconds: Math.max(1, Math.ceil((this.#windowEnds - at) / 1_000)),
      times: count - this.#limit,
    };
  }
}
