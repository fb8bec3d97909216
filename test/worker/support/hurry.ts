/** Intervals that come sooner than they say, each still in the request that began it, and timeouts that never come. */
import { vi } from 'vitest';
import { WAIT_IN_CALL_MS } from '../../../src/session/pending-calls.ts';

/** Fake timers would run an interval of the Worker on behalf of the test, which the platform forbids. */
export function hurryIntervals(everyMs: number, mayTick: () => boolean = () => true): void {
  const begin = globalThis.setInterval;
  const hurried = (work: () => void) =>
    begin(() => {
      if (mayTick()) work();
    }, everyMs);
  vi.spyOn(globalThis, 'setInterval').mockImplementation(hurried);
}

/** Timeouts of this length never end by themselves, however slow the machine; the result counts how many have begun. */
export function holdTimeouts(ms: number): () => number {
  const begin = globalThis.setTimeout;
  let held = 0;
  const hold = (work: () => void, delay?: number) => {
    if (delay !== ms) return begin(work, delay);
    held += 1;
    return begin(() => undefined, 0);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold);
  return () => held;
}

/** A wait leaves its pending call at once, not after the first seconds of its interaction. */
export function hurryPendingCalls(): void {
  const begin = globalThis.setTimeout;
  const isOfCall = (ms: number) => ms <= WAIT_IN_CALL_MS && ms > WAIT_IN_CALL_MS - 900;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((work: () => void, ms = 0) =>
    begin(work, isOfCall(ms) ? 0 : ms),
  );
}
