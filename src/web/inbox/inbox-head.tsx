import type { ComponentChildren } from 'preact';
import { t } from '../model/language.ts';
import { addressOf } from '../model/location.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

interface InboxHeadProps {
  readonly tab: 'waiting' | 'history';
  readonly onMenu: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** What both tabs begin with. */
export function InboxHead({ tab, onMenu, children }: InboxHeadProps) {
  return (
    <header class="inbox-head">
      {onMenu !== undefined && (
        <span class="narrow-only in-bottom-bar">
          <Button kind="icon" aria-label={t('Sessions')} onClick={onMenu}>
            <Icon name="menu" />
          </Button>
        </span>
      )}
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
