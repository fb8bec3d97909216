/** How many requests of this screen take long; the banner says so, as it does of a connection that was lost. */
import { useCallback, useState } from 'preact/hooks';

/** The result takes it back. */
export type NoteSlow = () => () => void;

export function useSlowCount(): { readonly count: number; readonly note: NoteSlow } {
  const [count, setCount] = useState(0);
  const note = useCallback<NoteSlow>(() => {
    setCount((before) => before + 1);
    return () => setCount((before) => before - 1);
  }, []);
  return { count, note };
}
