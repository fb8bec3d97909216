/** The server's time, as far as it was heard: what is shown counts by it and not by the clock at hand (TIME-4). */
import { useEffect, useState } from 'preact/hooks';

export interface ServerClock {
  now(): number;
  /** The server said what time it is there. */
  setServerTime(serverNow: number): void;
  /** Calls again and again; the result stops it. */
  every(ms: number, call: () => void): () => void;
}

export function startServerClock(): ServerClock {
  // How far ahead the server is; measured against a clock that nobody sets.
  let origin = Date.now() - performance.now();
  return {
    now: () => origin + performance.now(),
    setServerTime(serverNow) {
      origin = serverNow - performance.now();
    },
    every(ms, call) {
      const timer = setInterval(call, ms);
      return () => clearInterval(timer);
    },
  };
}

/** The time, drawn again every `stepMs`; null leaves it as it is. */
export function useNow(clock: ServerClock, stepMs: number | null): number {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (stepMs === null) return;
    setNow(clock.now());
    return clock.every(stepMs, () => setNow(clock.now()));
  }, [clock, stepMs]);
  return now;
}
