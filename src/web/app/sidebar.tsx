import { t } from '../model/language.ts';
import { paletteKeys, paletteShortcut } from '../model/palette-key.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import sidebarStyle from '../styles/sidebar.css?inline';
import { Brand } from '../ui/brand.tsx';
import { Button, Icon } from '../ui/button.tsx';
import { SessionList, type SessionListProps } from '../session-list/session-list.tsx';
import { WorkspaceSwitch } from '../workspaces/workspace-switch.tsx';
import { InboxLink, isAtInbox } from './inbox-link.tsx';

adoptStyle(sidebarStyle);

interface SidebarProps extends SessionListProps {
  readonly isSettings: boolean;
  readonly onSignOut: () => void;
}

/** The sessions of the workspace, and the links to a new session, to the inbox and to the settings. */
export function Sidebar({ isSettings, onSignOut, ...list }: SidebarProps) {
  const { sessions, current, person, store, clock } = list;
  const { waiting } = sessions;
  return (
    <nav class="sidebar" aria-label={t('Sessions')}>
      <Brand />
      <WorkspaceSwitch {...{ person, store, clock }} />
      <ul class="ways">
        <li>
          <button
            type="button"
            class="way"
            data-palette
            aria-keyshortcuts={paletteShortcut()}
            title={paletteKeys().join(' ')}
          >
            <Icon name="find" />
            {t('Search and commands')}
          </button>
        </li>
        <li>
          <a
            class="way"
            href="/#"
            aria-current={current === undefined && !isSettings && !isAtInbox() ? 'page' : undefined}
          >
            <Icon name="plus" />
            {t('New session')}
          </a>
        </li>
        <li>
          <InboxLink waiting={waiting} />
        </li>
        <li>
          <a class="way" href="/#settings=connect">
            <Icon name="tool" />
            {t('Connect an agent')}
          </a>
        </li>
        <li>
          <a class="way" href="/#settings=own" aria-current={isSettings ? 'page' : undefined}>
            <Icon name="sliders" />
            {t('Settings')}
          </a>
        </li>
      </ul>
      <SessionList {...list} />
      <footer>
        <span class="subject">{person.subject}</span>
        <Button kind="quiet" data-help aria-keyshortcuts="?">
          {t('Help')}
        </Button>
        <Button kind="quiet" onClick={onSignOut}>
          {t('Sign out')}
        </Button>
      </footer>
    </nav>
  );
}
