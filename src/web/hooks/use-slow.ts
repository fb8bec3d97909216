/** Whether something has been under way for so long that a person wonders. */
import { useEffect, useState } from 'preact/hooks';
import type { Clock } from '../clock.ts';

const SLOW_MS = 3_000;
const SLOW_CHECK_MS = 250;

export function useSlow(clock: Clock, isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!isBusy) return;
    const since = clock.now();
    return clock.every(SLOW_CHECK_MS, () => setSlow(clock.now() - since >= SLOW_MS));
  }, [clock, isBusy]);
  return isBusy && isSlow;
}
