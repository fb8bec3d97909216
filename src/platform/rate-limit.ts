/**
 * How much one root may ask for: by the platform's binding, or by counting in this isolate.
 *
 * Counted is the root of a credential and never the credential: one that makes its own successors would begin a new
 * count with each.
 */
import type { RateLimiter } from '../http/ports.ts';
import { LIMITS } from '../protocol/limits.ts';
import type { Overrun } from '../session/ports.ts';

/** The platform's rate limit, as far as it is used here. */
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

export const noLimiter: RateLimiter = { take: async () => undefined };

export function countingLimiter(counts: WindowCounts): RateLimiter {
  return { take: async (root) => counts.count(root)?.retryAfterSeconds };
}

/** Counts in fixed windows; all counters are dropped together when a window ends. */
export class WindowCounts {
  readonly #limit: number;
  readonly #now: () => number;
  #windowEnds = 0;
  #counts = new Map<string, number>();

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Undefined: one more is within the limit. */
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
