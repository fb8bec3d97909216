import { escapeInvisible } from '../../protocol/escapes.ts';
import { t } from '../model/language.ts';
import { addressOf } from '../model/location.ts';
import { lastAtOf, sessionTitleOf, type ListedSession } from '../model/sessions-list.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { relativeTime } from '../model/times.ts';
import { withoutBold } from '../model/without-bold.ts';
import { Button, Icon } from '../ui/button.tsx';

interface SessionRowProps {
  readonly entry: ListedSession;
  readonly isCurrent: boolean;
  readonly isUnread: boolean;
  /** What waits there, in a word; undefined while it is not known. */
  readonly asks: string | undefined;
  readonly now: number;
  readonly onMenu: () => void;
}

/** One session: its title, its last line, and what waits there. */
export function SessionRow({ entry, isCurrent, isUnread, asks, now, onMenu }: SessionRowProps) {
  const { id, open, lastLine, agent } = entry;
  const title = escapeInvisible(sessionTitleOf(entry));
  const lastAt = lastAtOf(entry);
  const name = agent?.type === 'built-in' ? t('Built-in agent') : agent?.name;
  return (
    <div class={`session-entry${isUnread ? ' unread' : ''}`}>
      <a
        class="session-row"
        href={addressOf({ session: id })}
        aria-current={isCurrent ? 'page' : undefined}
      >
        <span class="title" dir="auto">
          {title}
        </span>
        {open > 0 ? (
          <span class="waits">
            {open}
            <span class="unseen"> {t('waiting for you')}</span>
          </span>
        ) : (
          <time class="when" dateTime={new Date(lastAt).toISOString()} title={absoluteTime(lastAt)}>
            {relativeTime(lastAt, now)}
          </time>
        )}
        {(asks ?? lastLine ?? name) !== undefined && (
          <span class="last-line" dir="auto">
            {asks !== undefined && <span class="asks">{asks}</span>}
            {asks !== undefined && (lastLine ?? name) !== undefined && ' · '}
            {name !== undefined && <span class="agent">{escapeInvisible(name)}</span>}
            {lastLine !== undefined && name !== undefined && ' · '}
            {lastLine !== undefined && escapeInvisible(withoutBold(lastLine))}
          </span>
        )}
        {isUnread && <span class="unseen">{t('new since you looked')}</span>}
      </a>
      <Button kind="icon" aria-label={t('More about {title}', { title })} onClick={onMenu}>
        <Icon name="dots" />
      </Button>
    </div>
  );
}
