/** The server's time, from its last message. Deadlines and ages use it instead of the browser's clock (TIME-4). */
import { useEffect, useState } from 'preact/hooks';

export interface ServerClock {
  now(): number;
  /** Sets the time from a message of the server. */
  setServerTime(serverNow: number): void;
  /** Calls at an interval; the result stops it. */
  every(ms: number, call: () => void): () => void;
}

export function startServerClock(): ServerClock {
  // The offset of the server, measured against a clock that no one can set.
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

/** The time, redrawn every `stepMs`; never with null. */
export function useNow(clock: ServerClock, stepMs: number | null): number {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    if (stepMs === null) return;
    setNow(clock.now());
    return clock.every(stepMs, () => setNow(clock.now()));
  }, [clock, stepMs]);
  return now;
}
