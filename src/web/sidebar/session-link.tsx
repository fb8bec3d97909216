import { addressOf } from '../model/location.ts';
import { escapeInvisible } from '../model/escapes.ts';
import { type ListedSession, sessionTitleOf } from '../model/sessions-list.ts';
import { relativeTime } from '../model/times.ts';

interface SessionLinkProps {
  readonly entry: ListedSession;
  readonly isCurrent: boolean;
  readonly now: number;
}

export function SessionLink({ entry, isCurrent, now }: SessionLinkProps) {
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
