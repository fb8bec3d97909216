import { t } from '../model/language.ts';
import { Icon } from '../ui/button.tsx';
import { InboxLink, isAtInbox } from './inbox-link.tsx';

interface BottomBarProps {
  readonly waiting: number;
  readonly place: 'new' | 'settings' | 'session';
  readonly onMenu: () => void;
}

/** What the sidebar leads to, at the edge of a phone that a thumb reaches. The stylesheet shows one of the two. */
export function BottomBar({ waiting, place, onMenu }: BottomBarProps) {
  const isAt = (one: BottomBarProps['place']) =>
    one === place && !isAtInbox() ? 'page' : undefined;
  return (
    <nav class="bottom-bar" aria-label={t('Main')}>
      <button type="button" class="way" onClick={onMenu}>
        <Icon name="menu" />
        {t('Sessions')}
      </button>
      <InboxLink waiting={waiting} />
      <a class="way" href="/#" aria-current={isAt('new')}>
        <Icon name="plus" />
        {t('New')}
      </a>
      <a class="way" href="/#settings=own" aria-current={isAt('settings')}>
        <Icon name="sliders" />
        {t('Settings')}
      </a>
    </nav>
  );
}
