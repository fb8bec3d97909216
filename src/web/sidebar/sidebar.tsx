import type { ServerClock } from '../clock.ts';
import { useNow } from '../clock.ts';
import type { SessionsFeed } from '../hooks/use-sessions.ts';
import { MINUTE_MS } from '../model/times.ts';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { SessionLink } from './session-link.tsx';

interface SidebarProps {
  readonly sessions: SessionsFeed;
  readonly current: string | undefined;
  readonly clock: ServerClock;
  readonly subject: string;
  readonly onSignOut: () => void;
}

/** The sessions of the workspace, newest first, and the links to a new session and to the inbox. */
export function Sidebar({ sessions, current, clock, subject, onSignOut }: SidebarProps) {
  const { list, waiting, failure, more } = sessions;
  const now = useNow(clock, MINUTE_MS);
  return (
    <nav class="sidebar" aria-label="Sessions">
      <Brand />
      <ul class="ways">
        <li>
          <a class="way" href="/#" aria-current={current === undefined ? 'page' : undefined}>
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
        <Button kind="quiet" onClick={onSignOut}>
          Sign out
        </Button>
      </footer>
    </nav>
  );
}
