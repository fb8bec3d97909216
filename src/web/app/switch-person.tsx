import { escapeInvisible } from '../../protocol/escapes.ts';
import { t, tx } from '../model/language.ts';
import { Button } from '../ui/button.tsx';
import { NoticeScreen } from './notice-screen.tsx';

interface SwitchPersonProps {
  readonly current: string;
  readonly offered: string;
  readonly onAccept: () => void;
  readonly onDecline: () => void;
}

/** Shown when a link arrives while another person is signed in: answers would carry the name in the link. */
export function SwitchPerson({ current, offered, onAccept, onDecline }: SwitchPersonProps) {
  const [from, to] = [escapeInvisible(current), escapeInvisible(offered)];
  return (
    <NoticeScreen title={t('Sign in as {name}?', { name: to })}>
      <p>
        {tx(
          'You are signed in as {from}. The link you opened signs you in as {to}; what you decide afterwards is recorded under that name.',
          { from: <strong>{from}</strong>, to: <strong>{to}</strong> },
        )}
      </p>
      <div class="actions">
        <Button kind="primary" onClick={onDecline}>
          {t('Stay {name}', { name: from })}
        </Button>
        <Button onClick={onAccept}>{t('Switch to {name}', { name: to })}</Button>
      </div>
    </NoticeScreen>
  );
}
