import type { ComponentChildren } from 'preact';
import type { SessionView } from '../../protocol/types.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { modeName } from '../model/session-words.ts';
import { MenuButton } from '../ui/menu-button.tsx';
import { sessionTitleOf } from '../model/sessions-list.ts';
import { t } from '../model/language.ts';
import { Button, Icon } from '../ui/button.tsx';

interface SessionTopProps {
  readonly session: SessionView | null;
  /** The status of the agent, in two words. */
  readonly status: string;
  readonly onMenu: (() => void) | undefined;
  readonly onFind: () => void;
  readonly onDetails: () => void;
  readonly onlookers?: ComponentChildren;
}

export function SessionTop(props: SessionTopProps) {
  const { session, status, onMenu, onFind, onDetails, onlookers } = props;
  const mode = session?.permissionMode ?? 'default';
  return (
    <header class="top">
      {onMenu !== undefined && <MenuButton onMenu={onMenu} />}
      <div class="what">
        <h1 dir="auto">
          {session === null ? t('Opening…') : escapeInvisible(sessionTitleOf(session))}
        </h1>
        <p role="status">{status}</p>
      </div>
      {onlookers}
      {session !== null && (
        <>
          <button
            type="button"
            class={mode === 'bypassPermissions' ? 'mode-chip unguarded' : 'mode-chip'}
            aria-label={`${t('Mode:')} ${modeName(mode)}`}
            title={modeName(mode)}
            onClick={onDetails}
          >
            <Icon name="shield" />
            <span>{modeName(mode)}</span>
          </button>
          <Button kind="icon" data-command aria-label={t('Find in this session')} onClick={onFind}>
            <Icon name="find" />
          </Button>
          <Button kind="icon" data-command aria-label={t('Session settings')} onClick={onDetails}>
            <Icon name="sliders" />
          </Button>
        </>
      )}
    </header>
  );
}
