import { addressOf } from '../model/location.ts';
import { honestProse } from '../model/escapes.ts';
import { type Entry, titleOf } from '../model/sessions-list.ts';
import { ago } from '../model/times.ts';

interface Props {
  readonly entry: Entry;
  readonly isCurrent: boolean;
  readonly now: number;
}

export function SessionRow({ entry, isCurrent, now }: Props) {
  const { id, open, createdAt } = entry;
  return (
    <a
      class="session-row"
      href={addressOf({ session: id })}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span class="title" dir="auto">
        {honestProse(titleOf(entry))}
      </span>
      {open > 0 ? (
        <span class="waits">
          {open}
          <span class="unseen"> waiting for you</span>
        </span>
      ) : (
        <span class="when">{ago(createdAt, now)}</span>
      )}
    </a>
  );
}
