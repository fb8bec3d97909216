/** Time as a process has it: what it says, and work that is done when it comes. */
export interface Clock {
  now(): number;
  /**
   * Calls `work` once, when `now()` has reached `time`, and never before the caller is done; the
   * result takes that back. A process does not stay alive for it.
   */
  at(time: number, work: () => void): () => void;
}

/**
 * Timers do not count the time a machine slept, so a long one looks at the clock now and then. It
 * must not be set for 2^31 ms or more either: that fires at once.
 */
const LOOK_EVERY_MS = 60_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  at(time, work) {
    let timer: unknown;
    const set = () => {
      const wait = Math.min(Math.max(time - Date.now(), 0), LOOK_EVERY_MS);
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
