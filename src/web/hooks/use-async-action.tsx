/** The state of an action that a person started: running, slow, done, or failed with a message. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';
import { failureText } from '../model/failure.ts';

export interface AsyncAction {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  /** True if the action succeeded; otherwise `failure` says why. */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
}

export function useAsyncAction(): AsyncAction {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = useCallback(async (work: () => Promise<unknown>) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
      return true;
    } catch (cause) {
      setFailure(failureText(cause));
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  return { isBusy, failure, run };
}

/** The error of an action, shown beside it. */
export function FailureNote({ text }: { readonly text: string | undefined }) {
  return (
    <div role="alert" class="failure" hidden={text === undefined}>
      {text}
    </div>
  );
}

const SLOW_MS = 3_000;
const SLOW_CHECK_MS = 250;

/** Whether an action has been running for so long that a person wonders. */
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
