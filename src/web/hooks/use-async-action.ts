/** The state of an action: running, done, or failed with a message. */
import { useCallback, useState } from 'preact/hooks';
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
