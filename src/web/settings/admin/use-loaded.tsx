import { useCallback, useEffect, useState } from 'preact/hooks';
import { failureText } from '../../model/failure.ts';
import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';

interface LoadedPage<Value> {
  readonly value: Value | undefined;
  readonly failure: string | undefined;
  readonly reload: () => Promise<void>;
  readonly set: (value: Value) => void;
}

/** What a page shows, read when it opens and again when the person comes back to it. */
export function useLoaded<Value>(load: () => Promise<Value>): LoadedPage<Value> {
  const [value, set] = useState<Value>();
  const [failure, setFailure] = useState<string>();
  const reload = useCallback(async () => {
    try {
      const loaded = await load();
      set(() => loaded);
      setFailure(undefined);
    } catch (cause) {
      setFailure(failureText(cause));
    }
  }, [load]);
  useEffect(() => {
    void reload();
    const seen = () => document.visibilityState === 'visible' && void reload();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, [reload]);
  return { value, failure, reload, set: (next) => set(() => next) };
}

/** Of what is not there yet, or could not be read. */
export function LoadState({ loaded }: { readonly loaded: Omit<LoadedPage<unknown>, 'set'> }) {
  const { value, failure, reload } = loaded;
  return (
    <>
      <div role="alert" class="settings-failed" hidden={failure === undefined}>
        {failure !== undefined && (
          <>
            <span class="failure">{failure}</span>
            <Button onClick={() => void reload()}>{t('Try again')}</Button>
          </>
        )}
      </div>
      {value === undefined && failure === undefined && <p class="muted">{t('Loading…')}</p>}
    </>
  );
}
