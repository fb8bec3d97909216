/**
 * A button that appears under a finger must not react to a press already under way (UI-6): it works a moment later.
 */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';

const ARMED_AFTER_MS = 600;
const ARM_CHECK_MS = 30;

/** Restarts with every change of `what`; at once for what a person went to by a key. */
export function useArmed(clock: ServerClock, what: string, isAwaited?: boolean): boolean {
  const [armed, setArmed] = useState<string>();
  useLayoutEffect(() => {
    if (isAwaited) return setArmed(what);
    const since = clock.now();
    const stop = clock.every(ARM_CHECK_MS, () => {
      if (clock.now() - since < ARMED_AFTER_MS) return;
      stop();
      setArmed(what);
    });
    return stop;
  }, [clock, what, isAwaited]);
  return armed === what;
}
