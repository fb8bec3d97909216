/** The current time, and timers. */
export interface Clock {
  now(): number;
  /**
   * Calls `work` once, when `now()` has reached `time`, and never before the caller returns; the
   * result cancels the call. It does not keep the process alive.
   */
  at(time: number, work: () => void): () => void;
}

/**
 * Timers do not count the time a machine slept, so a long timer checks the clock every minute. A timer
 * of 2^31 ms or more would fire at once.
 */
const CLOCK_EVERY_MS = 60_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  at(time, work) {
    let timer: unknown;
    const set = () => {
      const wait = Math.min(Math.max(time - Date.now(), 0), CLOCK_EVERY_MS);
      timer = setTimeout(() => (Date.now() >= time ? work() : set()), wait);
      unref(timer);
    };
    set();
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  },
};

/** Only Node keeps a process alive for a timer; elsewhere a timer is a number. */
function unref(timer: unknown): void {
  (timer as { unref?: () => void } | null)?.unref?.();
}
