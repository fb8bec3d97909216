import { t } from '../../model/language.ts';
import { Button } from '../../ui/button.tsx';
import type { LoadedPage } from './use-loaded.ts';

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
