import { useMemo, useRef } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';
import { useListWindow } from '../hooks/use-list-window.ts';
import { keysOf } from '../model/inbox-actions.ts';
import type { InboxItem } from '../model/inbox.ts';
import { withSelected } from '../model/inbox-address.ts';
import { isSelectable } from '../model/inbox-batch.ts';
import { t } from '../model/language.ts';
import type { Location } from '../model/location.ts';
import type { Person } from '../model/person.ts';
import { InboxRow } from './inbox-row.tsx';
import { useOwnGroups } from './use-own-groups.ts';
import { useRowFocus } from './use-row-focus.ts';

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
