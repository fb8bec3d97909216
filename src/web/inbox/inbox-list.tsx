import { useMemo, useRef, useCallback, useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { type ServerClock, useNow } from '../clock.ts';
import { keysOf } from '../model/inbox-actions.ts';
import type { InboxItem } from '../model/inbox.ts';
import { withSelected } from '../model/inbox-address.ts';
import { isSelectable } from '../model/inbox-batch.ts';
import { t } from '../model/language.ts';
import { type Location, addressOf } from '../model/location.ts';
import type { Person } from '../model/person.ts';
import { riskOf } from '../../protocol/inbox-filter.ts';
import { escapeInvisible, visibleText } from '../../protocol/escapes.ts';
import { countdownOf } from '../model/cards/countdown.ts';
import { classWords, firstLineOf } from '../model/inbox-line.ts';
import { teamOf } from '../model/inbox-team.ts';
import { personName } from '../model/names.ts';
import { absoluteTime } from '../model/absolute-time.ts';
import { MINUTE_MS, relativeTime } from '../model/times.ts';
import { labelChips } from '../model/label-chips.ts';
import { LabelChips } from '../ui/label-chips.tsx';
import { useOwnGroups } from './use-inbox.ts';
import { useRowFocus } from './inbox-keys.ts';

interface InboxListProps {
  readonly items: readonly InboxItem[];
  readonly clock: ServerClock;
  readonly location: Location;
  /** The row that keys act on. */
  readonly cursorKey: string | undefined;
  /** The cursor is what is shown beside the list. */
  readonly isShown: boolean;
  readonly selected: ReadonlySet<string>;
  readonly results: ReadonlyMap<string, string>;
  readonly canAnswer: boolean;
  readonly me: Person;
  /** Changes with each key that moves; the shown row is then scrolled to and focused. */
  readonly moves: number;
  readonly onShow: (item: InboxItem) => void;
  readonly onSelect: (item: InboxItem) => void;
  /** While the pointer is over the list, nothing in it moves. */
  readonly onHold: (isHeld: boolean) => void;
}

export function InboxList(props: InboxListProps) {
  const { items, clock, location, cursorKey, selected, results, canAnswer, moves } = props;
  // A group is looked up once for the whole list.
  const groups = useOwnGroups(
    props.me,
    items.some(({ entry }) => (entry.audience?.groups ?? []).length > 0),
  );
  const list = useRef<HTMLUListElement>(null);
  const { from, to, reveal } = useListWindow(list, items.length);
  const keys = useMemo(() => items.map(({ key }) => key), [items]);
  useRowFocus({ list, keys, cursorKey, moves, reveal });
  return (
    <ul
      class="inbox-list"
      ref={list}
      aria-label={t('Requests')}
      aria-keyshortcuts={`${keysOf('next')} ${keysOf('previous')}`}
      onPointerEnter={() => props.onHold(true)}
      onPointerLeave={() => props.onHold(false)}
    >
      {items.slice(from, to).map((item, at) => (
        <InboxRow
          key={item.key}
          {...{ item, clock, groups }}
          me={props.me}
          address={withSelected(location, item.entry)}
          isShown={props.isShown && item.key === cursorKey}
          isSelected={selected.has(item.key)}
          position={{ at: from + at, of: items.length }}
          result={results.get(item.key)}
          onShow={() => props.onShow(item)}
          onSelect={canAnswer && isSelectable(item) ? () => props.onSelect(item) : undefined}
        />
      ))}
    </ul>
  );
}

interface InboxRowProps {
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

/** One request in two short lines, on a phone in four: what, and below it where, who, when, and how closely to look. */
function InboxRow(props: InboxRowProps) {
  const { item, clock, address, isShown, isSelected, position, onSelect, onShow, result } = props;
  const { sessionId, sessionTitle, toolName, openedAt, openedBy } = item.entry;
  const now = useNow(clock, MINUTE_MS);
  const where = escapeInvisible(sessionTitle ?? sessionId);
  const chips = labelChips(item.entry.sessionLabels);
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
          <LabelChips chips={chips.slice(0, 1)} />
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
        </span>
        <span class="inbox-state">
          {result === undefined ? (
            <span class={`inbox-class ${riskOf(item.entry) ?? ''}`}>{classWords(item.entry)}</span>
          ) : (
            <span class="inbox-result">{result}</span>
          )}
          <InboxRowTime item={item} clock={clock} />
          <LabelChips chips={chips.slice(1)} />
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

/** More than a fast wheel passes between two frames. */
const ROWS_AROUND = 12;
/** Below it a list is drawn whole. */
const WINDOWED_FROM = 60;

export interface ListWindow {
  readonly from: number;
  readonly to: number;
  /** Scrolls so that the row is drawn and in the window. */
  readonly reveal: (index: number) => void;
}

/**
 * The rows of a long list that are drawn: those in the window, and a few around them.
 *
 * All rows have the height of the first one. The others are the padding of the list, so that its scroll bar is true.
 * The list may be anywhere in an element that scrolls.
 */
export function useListWindow(list: RefObject<HTMLElement | null>, count: number): ListWindow {
  const [shown, setShown] = useState({ from: 0, to: WINDOWED_FROM });
  const isWindowed = count > WINDOWED_FROM;
  const from = isWindowed ? Math.min(shown.from, Math.max(0, count - 1)) : 0;
  const to = isWindowed ? Math.min(shown.to, count) : count;

  // Measured between two draws. A layout that is forced while the rows have changed and the padding has not would move the
  // page: the browser keeps the first row in its place, and the next measurement takes that for a scroll, without end.
  const measured = useRef(0);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    measured.current ||= rowHeightOf(element);
    const height = measured.current;
    element.style.paddingTop = `${from * height}px`;
    element.style.paddingBottom = `${(count - to) * height}px`;
  });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || !isWindowed) return;
    let frame = 0;
    const look = () => {
      frame = 0;
      measured.current = rowHeightOf(element);
      const next = rowsInView(element, count, measured.current);
      setShown((before) => (before.from === next.from && before.to === next.to ? before : next));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', soon, { capture: true, passive: true });
    addEventListener('resize', soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener('scroll', soon, { capture: true });
      removeEventListener('resize', soon);
    };
  }, [list, count, isWindowed]);

  const reveal = useCallback(
    (index: number) => {
      const element = list.current;
      const scroller = element?.closest<HTMLElement>('[data-scrolls]');
      if (element == null || scroller == null) return;
      const height = measured.current;
      const pane = scroller.getBoundingClientRect();
      const top = element.getBoundingClientRect().top + index * height - pane.top;
      // A row above is shown with its neighbor, so that one sees where the list goes on.
      if (top < height) scroller.scrollTop += top - height;
      else if (top + 2 * height > pane.height) scroller.scrollTop += top + 2 * height - pane.height;
    },
    [list],
  );
  return { from, to, reveal };
}

function rowHeightOf(list: HTMLElement): number {
  return list.firstElementChild?.getBoundingClientRect().height ?? 0;
}

function rowsInView(list: HTMLElement, count: number, height: number) {
  if (height === 0) return { from: 0, to: WINDOWED_FROM };
  const { top } = list.getBoundingClientRect();
  // In steps, so that most frames of a scroll draw nothing.
  const step = (rows: number) => Math.floor(rows / ROWS_AROUND) * ROWS_AROUND;
  const first = step(-top / height) - ROWS_AROUND;
  const last = step((innerHeight - top) / height) + 2 * ROWS_AROUND;
  return { from: Math.max(0, Math.min(first, count - 1)), to: Math.min(count, Math.max(last, 1)) };
}
