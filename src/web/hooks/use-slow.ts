/** Whether an action has been running for so long that a person wonders. */
import { useEffect, useState, useCallback } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';

const SLOW_MS = 3_000;
const SLOW_CHECK_MS = 250;

export function useSlow(clock: ServerClock, isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isBusy) return;
    const since = clock.now();
    return clock.every(SLOW_CHECK_MS, () => setSlow(clock.now() - since >= SLOW_MS));
  }, [clock, isBusy]);
  return isBusy && isSlow;
}

/** The result withdraws the report. */
export type ReportSlow = () => () => void;

/** Counts the slow requests of this screen; the connection banner reports them. */
export function useSlowCount(): { readonly count: number; readonly note: ReportSlow } {
  const [count, setCount] = useState(0);
  const note = useCallback<ReportSlow>(() => {
    setCount((before) => before + 1);
    return () => setCount((before) => before - 1);
  }, []);
  return { count, note };
}
