/**
 * The rate limits of a deployment. The platform's bindings count requests where the deployment has them. Frames on
 * sockets are counted in the isolate of their object; under plain workerd this isolate also counts the requests, so
 * both add up.
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
  const { requests: maxRequests, sessions } = readLimits(env);
  return {
    limiter:
      maxRequests === 0
        ? noLimiter
        : env.RATE_LIMIT === undefined
          ? countingLimiter(requestCounts(maxRequests))
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
  const { requests: maxRequests } = readLimits(env);
  return maxRequests === 0 ? () => undefined : (root) => requestCounts(maxRequests).count(root);
}
