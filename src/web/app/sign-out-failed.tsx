import { t } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { NoticeScreen } from './notice-screen.tsx';

interface SignOutFailedProps {
  readonly problem: string;
  readonly onRetry: () => void;
  readonly onBack: () => void;
}

/** The cookie is out of reach of this page: only the server can end it. */
export function SignOutFailed({ problem, onRetry, onBack }: SignOutFailedProps) {
  return (
    <NoticeScreen title={t('You are still signed in')}>
      <p>{t('The server could not be asked to sign you out.')}</p>
      <p class="failure">{problem}</p>
      <div class="actions">
        <Button kind="primary" onClick={onRetry}>
          {t('Try again')}
        </Button>
        <Button onClick={onBack}>{t('Back')}</Button>
      </div>
    </NoticeScreen>
  );
}
