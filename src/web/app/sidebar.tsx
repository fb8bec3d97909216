import { useNow, type ServerClock } from '../clock.ts';
import type { SessionsFeed } from '../hooks/use-sessions.ts';
import { escapeInvisible } from '../../protocol/escapes.ts';
import { t } from '../model/language.ts';
import { addressOf } from '../model/location.ts';
import { sessionTitleOf, type ListedSession } from '../model/sessions-list.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

interface SidebarProps {
  readonly sessions: SessionsFeed;
  readonly current: string | undefined;
  readonly isSettings: boolean;
  readonly clock: ServerClock;
  readonly subject: string;
  readonly onSignOut: () => void;
}

/** The sessions of the workspace, newest first, and the links to a new session, to the inbox and to the settings. */
export function Sidebar({ sessions, current, isSettings, clock, ...rest }: SidebarProps) {
  const { subject, onSignOut } = rest;
  const { list, waiting, failure, more } = sessions;
  const now = useNow(clock, MINUTE_MS);
  return (
    <nav class="sidebar" aria-label="Sessions">
      <Brand />
      <ul class="ways">
        <li>
          <a
            class="way"
            href="/#"
            aria-current={current === undefined && !isSettings ? 'page' : undefined}
          >
            <Icon name="plus" />
            New session
          </a>
        </li>
        <li>
          <a class="way" href="/inbox">
            <Icon name="inbox" />
            Inbox
            {waiting > 0 && (
              <span class="waits">
                {waiting}
                <span class="unseen"> waiting for you</span>
              </span>
            )}
          </a>
        </li>
        <li>
          <a class="way" href="/#settings=connect">
            <Icon name="tool" />
            Connect an agent
          </a>
        </li>
        <li>
          <a class="way" href="/#settings=own" aria-current={isSettings ? 'page' : undefined}>
            <Icon name="sliders" />
            Settings
          </a>
        </li>
      </ul>
      <div class="sessions">
        <h2>Sessions</h2>
        {failure !== undefined && <p class="muted">{failure}</p>}
        {list.isLoaded && list.entries.length === 0 && <p class="muted">None yet.</p>}
        <ul>
          {list.entries.map((entry) => (
            <li key={entry.id}>
              <SessionLink entry={entry} isCurrent={entry.id === current} now={now} />
            </li>
          ))}
        </ul>
        {list.next !== undefined && (
          <Button kind="quiet" onClick={more}>
            Show older
          </Button>
        )}
      </div>
      <footer>
        <span class="subject">{subject}</span>
        <Button kind="quiet" data-help aria-keyshortcuts="?">
          {t('Help')}
        </Button>
        <Button kind="quiet" onClick={onSignOut}>
          Sign out
        </Button>
      </footer>
    </nav>
  );
}

interface SessionLinkProps {
  readonly entry: ListedSession;
  readonly isCurrent: boolean;
  readonly now: number;
}

function SessionLink({ entry, isCurrent, now }: SessionLinkProps) {
  const { id, open, createdAt } = entry;
  return (
    <a
      class="session-row"
      href={addressOf({ session: id })}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span class="title" dir="auto">
        {escapeInvisible(sessionTitleOf(entry))}
      </span>
      {open > 0 ? (
        <span class="waits">
          {open}
          <span class="unseen"> waiting for you</span>
        </span>
      ) : (
        <span class="when">{relativeTime(createdAt, now)}</span>
      )}
    </a>
  );
}
