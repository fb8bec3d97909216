import { formatNumber, t } from '../model/language.ts';
import { Icon } from '../ui/button.tsx';

/** The inbox has a path of its own. */
export function isAtInbox(): boolean {
  return location.pathname === '/inbox';
}

/** With the number of requests that wait. Also in front of the start page on a phone, where the sidebar is behind a button. */
export function InboxLink({ waiting }: { readonly waiting: number }) {
  return (
    <a class="way" href="/inbox" aria-current={isAtInbox() ? 'page' : undefined}>
      <Icon name="inbox" />
      {t('Inbox')}
      {waiting > 0 && (
        <span class="waits">
          {formatNumber(waiting)}
          <span class="unseen"> {t('waiting for you')}</span>
        </span>
      )}
    </a>
  );
}
