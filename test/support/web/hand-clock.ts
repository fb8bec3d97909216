/** A clock that only a test advances. */
import type { ServerClock } from '../../../src/web/clock.ts';

export interface HandClock extends ServerClock {
  /** Advances the clock and runs each interval once. */
  advance(ms: number): void;
}

export function handClock(start = Date.now()): HandClock {
  let time = start;
  const calls = new Set<() => void>();
  return {
    now: () => time,
    setServerTime(serverNow) {
      time = serverNow;
    },
    every(_ms, call) {
      calls.add(call);
      return () => calls.delete(call);
    },
    advance(ms) {
      time += ms;
      for (const call of calls) call();
    },
  };
}
