import { addressOf } from '../model/location.ts';
import { escapeInvisible } from '../model/escapes.ts';
import { type SessionEntry, sessionTitleOf } from '../model/sessions-list.ts';
import { relativeTime } from '../model/times.ts';

interface SessionRowProps {
  readonly entry: SessionEntry;
  readonly isCurrent: boolean;
  readonly now: number;
}

export function SessionRow({ entry, isCurrent, now }: SessionRowProps) {
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
