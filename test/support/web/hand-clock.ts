/** A clock that stands still until a test moves it. */
import type { ServerClock } from '../../../src/web/clock.ts';

export interface HandClock extends ServerClock {
  /** Moves on, and calls whatever asked to be called meanwhile, once. */
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
