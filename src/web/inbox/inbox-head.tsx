import type { ComponentChildren } from 'preact';
import { t } from '../model/language.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { addressOf } from '../model/location.ts';

interface InboxHeadProps {
  readonly tab: 'waiting' | 'history';
  readonly onMenu: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** What both tabs begin with. */
export function InboxHead({ tab, onMenu, children }: InboxHeadProps) {
  return (
    <header class="inbox-head">
      {onMenu !== undefined && <MenuButton onMenu={onMenu} />}
      <h1>{t('Inbox')}</h1>
      <nav class="inbox-tabs" aria-label={t('Inbox')}>
        <a
          href={addressOf({ page: 'inbox' })}
          aria-current={tab === 'waiting' ? 'page' : undefined}
        >
          {t('Waiting')}
        </a>
        <a
          href={addressOf({ page: 'inbox', tab: 'history' })}
          aria-current={tab === 'history' ? 'page' : undefined}
        >
          {t('History')}
        </a>
      </nav>
      {children}
    </header>
  );
}
