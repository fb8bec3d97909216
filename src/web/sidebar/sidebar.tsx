import type { Clock } from '../clock.ts';
import { useNow } from '../clock.ts';
import type { Sessions } from '../hooks/use-sessions.ts';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { SessionRow } from './session-link.tsx';

interface SidebarProps {
  readonly sessions: Sessions;
  readonly current: string | undefined;
  readonly clock: Clock;
  readonly subject: string;
  readonly onSignOut: () => void;
}

const MINUTE = 60_000;

/** The sessions of the workspace, newest first, and the ways to a new one and to the inbox. */
export function Sidebar({ sessions, current, clock, subject, onSignOut }: SidebarProps) {
  const { list, waiting, failure, more } = sessions;
  const now = useNow(clock, MINUTE);
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
              <SessionRow entry={entry} isCurrent={entry.id === current} now={now} />
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
