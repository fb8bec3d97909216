/**
 * The limits of a deployment. Requests are counted by the platform's bindings where there are any; frames on sockets are
 * counted in the isolate of their object, which under plain workerd is that of the requests, so that both are one sum.
 */
import type { RateLimiter } from '../../http/ports.ts';
import type { Overrun } from '../../session/ports.ts';
import { bindingLimiter, countingLimiter, noLimiter, WindowCounts } from '../rate-limit.ts';
import { readLimits } from './config.ts';
import type { Env } from './env.ts';

const requests = new Map<number, WindowCounts>();

function requestCounts(limit: number): WindowCounts {
  const known = requests.get(limit) ?? new WindowCounts(limit, Date.now);
  requests.set(limit, known);
  return known;
}

export function requestLimiters(env: Env): {
  readonly limiter: RateLimiter;
  readonly sessionLimiter: RateLimiter;
} {
  const { requests: most, sessions } = readLimits(env);
  return {
    limiter:
      most === 0
        ? noLimiter
        : env.RATE_LIMIT === undefined
          ? countingLimiter(requestCounts(most))
          : bindingLimiter(env.RATE_LIMIT),
    sessionLimiter:
      sessions === 0
        ? noLimiter
        : env.SESSION_RATE_LIMIT === undefined
          ? countingLimiter(new WindowCounts(sessions, Date.now))
          : bindingLimiter(env.SESSION_RATE_LIMIT),
  };
}

export function frameLimit(env: Env): (root: string) => Overrun | undefined {
  const { requests: most } = readLimits(env);
  return most === 0 ? () => undefined : (root) => requestCounts(most).count(root);
}
