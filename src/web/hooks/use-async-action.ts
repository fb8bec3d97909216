/** Something a person asked for: under way, done, or failed with words that say why. */
import { useCallback, useState } from 'preact/hooks';
import { failureText } from '../model/failure.ts';

export interface AsyncAction {
  readonly isBusy: boolean;
  readonly failure: string | undefined;
  /** True when it was done; what failed is in `failure`. */
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
