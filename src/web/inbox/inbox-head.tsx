import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { t, tn } from '../model/language.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { addressOf } from '../model/location.ts';
import { type ServerClock, useNow } from '../clock.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { relativeTime } from '../model/times.ts';

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

interface InboxCountProps {
  readonly shown: number;
  readonly total: number;
  readonly isFiltered: boolean;
  /** The server has not looked through the whole inbox yet. */
  readonly hasMore: boolean;
  /** New ones that wait until the pointer leaves the list. */
  readonly waiting: number;
}

/** A list that leaves something out says so. */
export function InboxCount({ shown, total, hasMore, waiting, ...rest }: InboxCountProps) {
  return (
    <p class="inbox-count" role="status">
      {(rest.isFiltered || shown < total) &&
        (hasMore
          ? t('{shown} of {total} shown, more may match', { shown, total })
          : t('{shown} of {total} shown', { shown, total }))}
      {waiting > 0 && <strong>{tn(waiting, '{count} new', '{count} new')}</strong>}
    </p>
  );
}

interface FreshnessProps {
  readonly total: number;
  readonly asOf: number | null;
  readonly isLive: boolean;
  readonly clock: ServerClock;
}

const FRESHNESS_REFRESH_MS = 10_000;

/** How many requests wait, and how old that number is: an outdated inbox must not look like an empty one. */
export function Freshness({ total, asOf, isLive, clock }: FreshnessProps) {
  const now = useNow(clock, FRESHNESS_REFRESH_MS);
  if (asOf === null) return <p class="freshness">{t('Loading…')}</p>;
  return (
    <p class={isLive ? 'freshness live' : 'freshness stale'}>
      <span role="status">
        {total === 0 ? t('Nothing waiting') : tn(total, '{count} waiting', '{count} waiting')}
      </span>
      <span>
        {isLive ? t('Live · updated') : t('Not live · updated')}{' '}
        <time dateTime={new Date(asOf).toISOString()} title={absoluteTime(asOf)}>
          {relativeTime(asOf, now)}
        </time>
      </span>
    </p>
  );
}

/** Shows the number of open requests in the title of the tab, and their presence in its icon. */
export function useTabMark(count: number): void {
  useEffect(() => {
    document.title =
      count > 0 ? `(${count}) ${t('Inbox')} · Holdpoint` : `${t('Inbox')} · Holdpoint`;
  }, [count]);
  const isWaiting = count > 0;
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    // The page names the other icon, because its file name contains a hash.
    const marked = document.querySelector<HTMLMetaElement>('meta[name="waiting-icon"]')?.content;
    if (!isWaiting || link === null || marked === undefined) return;
    const plain = link.href;
    link.href = marked;
    return () => {
      link.href = plain;
    };
  }, [isWaiting]);
}
