/** How often a credential may ask: by the platform's binding, or by counting in this isolate. */
import type { RateLimiter } from '../http/ports.ts';

const PERIOD_MS = 10_000;
export const DEFAULT_LIMIT = 2_000;

/** The platform's rate limit, as far as it is used here. */
interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

export function bindingLimiter(binding: RateLimitBinding): RateLimiter {
  return {
    async take(credential) {
      const { success } = await binding.limit({ key: credential });
      return success ? undefined : PERIOD_MS / 1_000;
    },
  };
}

export const noLimiter: RateLimiter = { take: async () => undefined };

/** Counts in fixed windows; all counters are dropped together when a window ends. */
export function countingLimiter(limit: number, now: () => number): RateLimiter {
  let windowEnds = 0;
  let counts = new Map<string, number>();
  return {
    async take(credential) {
      const at = now();
      if (at >= windowEnds) {
        windowEnds = at + PERIOD_MS;
        counts = new Map();
      }
      const count = (counts.get(credential) ?? 0) + 1;
      counts.set(credential, count);
      return count <= limit ? undefined : Math.max(1, Math.ceil((windowEnds - at) / 1_000));
    },
  };
}
