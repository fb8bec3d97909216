/** Intervals that come sooner than they say, each still in the request that began it. */
import { vi } from 'vitest';

/** Fake timers would run an interval of the Worker on behalf of the test, which the platform forbids. */
export function hurryIntervals(everyMs: number, mayTick: () => boolean = () => true): void {
  const begin = globalThis.setInterval;
  const hurried = (work: () => void) =>
    begin(() => {
      if (mayTick()) work();
    }, everyMs);
  vi.spyOn(globalThis, 'setInterval').mockImplementation(hurried);
}
