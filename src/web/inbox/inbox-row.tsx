import { useNow, type ServerClock } from '../clock.ts';
import { riskOf } from '../../protocol/inbox-filter.ts';
import { escapeInvisible, visibleText } from '../../protocol/escapes.ts';
import { keysOf } from '../model/inbox-actions.ts';
import { countdownOf } from '../model/cards/countdown.ts';
import type { InboxItem } from '../model/inbox.ts';
import { classWords, firstLineOf } from '../model/inbox-line.ts';
import { teamOf } from '../model/inbox-team.ts';
import { t } from '../model/language.ts';
import { personName } from '../model/names.ts';
import { addressOf, type Location } from '../model/location.ts';
import type { Person } from '../model/person.ts';
import { absoluteTime, MINUTE_MS, relativeTime } from '../model/times.ts';

export interface InboxRowProps {
  readonly item: InboxItem;
  readonly clock: ServerClock;
  readonly me: Person;
  /** Of this person; undefined while they are not known. */
  readonly groups: readonly string[] | undefined;
  /** The address that shows the request beside the list. */
  readonly address: Location;
  readonly isShown: boolean;
  readonly isSelected: boolean;
  readonly position: { readonly at: number; readonly of: number };
  /** Undefined where it is not decided together with others. */
  readonly onSelect: (() => void) | undefined;
  readonly onShow: () => void;
  /** What became of it in a decision about several. */
  readonly result: string | undefined;
}

/** One request in two short lines: what, and below it who, where and when. */
export function InboxRow(props: InboxRowProps) {
  const { item, clock, address, isShown, isSelected, position, onSelect, onShow, result } = props;
  const { sessionId, sessionTitle, toolName, openedAt, openedBy } = item.entry;
  const now = useNow(clock, MINUTE_MS);
  const where = escapeInvisible(sessionTitle ?? sessionId);
  const team = item.isOpen ? teamOf(item.entry, props.me, props.groups, now) : undefined;
  const tone = item.isOpen ? 'open' : 'done';
  return (
    <li
      class={`inbox-row ${tone}${isSelected ? ' selected' : ''}`}
      aria-setsize={position.of}
      aria-posinset={position.at + 1}
      data-key={item.key}
    >
      <span class="inbox-mark">
        {onSelect !== undefined && (
          <input
            type="checkbox"
            aria-label={t('Select {tool} in {session}', { tool: toolName, session: where })}
            aria-keyshortcuts={keysOf('select')}
            checked={isSelected}
            onChange={onSelect}
          />
        )}
      </span>
      <a
        class="inbox-line"
        href={addressOf(address)}
        aria-current={isShown ? 'true' : undefined}
        aria-keyshortcuts={keysOf('open')}
        onClick={(event) => {
          // A click with a modifier opens a tab, as for every link.
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
          event.preventDefault();
          onShow();
        }}
      >
        <span class="inbox-what">
          <span class="inbox-tool">{visibleText(toolName)}</span>
          <code class="inbox-first" dir="auto">
            {visibleText(firstLineOf(item.entry))}
          </code>
          {team?.votes !== undefined && (
            <span class="inbox-votes">
              {team.votes}
              <span class="unseen"> {t('approvals')}</span>
            </span>
          )}
          <InboxRowTime item={item} clock={clock} />
        </span>
        <span class="inbox-about">
          <span class="inbox-where" dir="auto">
            {where}
          </span>
          {openedBy.subject !== '' && <span dir="auto">{personName(openedBy)}</span>}
          <time dateTime={new Date(openedAt).toISOString()} title={absoluteTime(openedAt)}>
            {relativeTime(openedAt, now)}
          </time>
          {team?.notMine !== undefined && (
            <span class="inbox-team" dir="auto">
              {team.notMine}
            </span>
          )}
          {team?.claim !== undefined && (
            <span class="inbox-team looking" dir="auto">
              {team.claim}
            </span>
          )}
          {result === undefined ? (
            <span class={`inbox-class ${riskOf(item.entry) ?? ''}`}>{classWords(item.entry)}</span>
          ) : (
            <span class="inbox-result">{result}</span>
          )}
        </span>
      </a>
    </li>
  );
}

/** The time left, or that it is over: a row that ends stays until the person clears it. */
function InboxRowTime({ item, clock }: Pick<InboxRowProps, 'item' | 'clock'>) {
  const { expiresAt, overdue } = item.entry;
  const timed = { status: 'open', expiresAt, ...(overdue && { overdue }) } as const;
  const first = countdownOf(timed, clock.now());
  const now = useNow(clock, item.isOpen ? (first?.nextMs ?? null) : null);
  if (!item.isOpen) return <span class="inbox-time">{t('Done')}</span>;
  const countdown = countdownOf(timed, now);
  if (countdown === undefined) return null;
  return <span class={`inbox-time countdown ${countdown.level}`}>{countdown.text}</span>;
}
