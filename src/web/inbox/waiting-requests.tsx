import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ConnectionBanner } from '../app/connection-banner.tsx';
import { FailureNote, useAsyncAction, useSlowCount } from '../hooks/use-async-action.tsx';
import { useMedia, WIDE } from './use-media.ts';
import { type InboxAction, keysOf } from '../model/inbox-actions.ts';
import { hasConnection } from '../model/banner.ts';
import * as model from '../model/inbox.ts';
import { filterOf, isFiltered, withFilter, withSelected } from '../model/inbox-address.ts';
import { alikeKeyOf, findAlike, isSelectable, selectedItems } from '../model/inbox-batch.ts';
import { t, tn } from '../model/language.ts';
import { addressOf } from '../model/location.ts';
import { hasScope } from '../model/person.ts';
import { Button } from '../ui/button.tsx';
import { BatchBar, useDecideTogether } from './batch-bar.tsx';
import { Freshness, useTabMark, InboxCount, InboxHead } from './inbox-head.tsx';
import { type InboxScreenProps, NotificationsSwitch, useNewRequests } from './inbox.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { pressKeyed, useInboxKeys, namedRequest, useCursor, useHeldOrder } from './inbox-keys.ts';
import { useKeptPress, useOwnMoves } from './kept-press.ts';
import { InboxList } from './inbox-list.tsx';
import { ShownRequest } from './shown-request.tsx';
import { useInbox, useMatchingItems } from './use-inbox.ts';

const CARD = '.inbox-shown .card';
const BAR = '.batch-bar';

/** The open requests: the list, and beside it the shown request, whole. */
export function WaitingRequests(props: InboxScreenProps) {
  const { location, transport, clock, person, onGo, onMenu, store, notifier } = props;
  const canAnswer = hasScope(person, 'answer');
  const isWide = useMedia(WIDE);
  const { notices, onNew, news } = useNewRequests(notifier, store);
  const inbox = useInbox(transport, clock, onNew);
  const { state } = inbox;
  const filterText = JSON.stringify(filterOf(location));
  const filter = useMemo(() => filterOf(location), [filterText]);
  const matching = useMatchingItems(inbox, filter, person);
  const { rows, waiting, onHold } = useHeldOrder(matching.items, filter);
  const cursor = useCursor(location, rows);
  const at = rows.findIndex(({ key }) => key === cursor.key);
  const item = rows[at] ?? state.items.find(({ key }) => key === cursor.key);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [moves, setMoves] = useState(0);
  // What a search leaves out is on no screen, and is not decided.
  const batch = selectedItems(rows, selected);
  const deciding = useDecideTogether(transport, (keys) => {
    for (const key of keys) inbox.markAnswered(key);
    setSelected((before) => new Set([...before].filter((key) => !keys.includes(key))));
    focusRow();
    goOn(keys);
  });
  const latest = useRef({ key: cursor.key, rows });
  latest.current = { key: cursor.key, rows };
  const ownMoves = useOwnMoves(clock);
  const presses = useKeptPress(
    batch.length > 0 ? batch.map(({ key }) => key).join('\n') : (cursor.key ?? ''),
  );
  const { isBusy, failure, run } = useAsyncAction();
  const slow = useSlowCount();
  const search = useRef<HTMLInputElement>(null);
  const isLive = hasConnection(state.connection);
  const unread = model.countUnread(state);
  const ended = model.countFinished(state);
  useTabMark(state.total);

  const focusRow = () => setMoves((count) => count + 1);
  const isPage = cursor.namedKey !== undefined;
  const show = (next: model.InboxItem | undefined, how: 'push' | 'replace') => {
    if (next !== undefined) onGo(withSelected(location, next.entry), how);
  };
  const back = () => {
    if (isPage && !isWide) onGo(withSelected(location, undefined));
    focusRow();
  };
  const alike = item === undefined || !isSelectable(item) ? [] : findAlike(rows, item);
  const hasMore = state.next !== undefined;
  // All that ask the same: also those that were not loaded when the person chose them.
  const [wanted, setWanted] = useState<string>();
  useEffect(() => {
    if (wanted === undefined || hasMore) return;
    setWanted(undefined);
    if (wanted === cursor.key)
      select(
        alike.map(({ key }) => key),
        true,
      );
  }, [wanted, hasMore, cursor.key]);
  const select = (keys: readonly string[], isOn: boolean) =>
    setSelected((before) =>
      isOn
        ? new Set([...before, ...keys])
        : new Set([...before].filter((key) => !keys.includes(key))),
    );
  const toggle = (one: model.InboxItem) => select([one.key], !selected.has(one.key));
  const goTo = (next: model.InboxItem) => {
    if (isWide || isPage) show(next, 'replace');
    else cursor.move(next.key);
    focusRow();
  };
  const move = (by: 1 | -1) => {
    const next = rows[at < 0 ? 0 : at + by];
    if (next === undefined) return;
    ownMoves.noteMove(next.key);
    goTo(next);
  };
  const moveByKey = (by: 1 | -1) => {
    if (by === 1 && ownMoves.isMadeAlready(cursor.key)) return;
    if (!presses.moveAfter(() => latestMove.current(by))) move(by);
  };
  const latestMove = useRef(move);
  latestMove.current = move;
  /** After a decision by a key; a pointer finds the next one where it is. */
  const goOn = (decided: readonly string[]) => {
    const now = latest.current;
    if (!isWide || !ownMoves.isByKey() || now.key === undefined || !decided.includes(now.key))
      return;
    const from = now.rows.findIndex(({ key }) => key === now.key);
    const isNext = (one: model.InboxItem) => one.isOpen && !decided.includes(one.key);
    const next = now.rows.slice(from + 1).find(isNext) ?? now.rows.find(isNext);
    if (next === undefined) return;
    ownMoves.noteCame(next.key);
    goTo(next);
  };
  const act: Record<InboxAction, () => unknown> = {
    next: () => moveByKey(1),
    previous: () => moveByKey(-1),
    select: () => canAnswer && item !== undefined && isSelectable(item) && toggle(item),
    selectAlike() {
      if (!canAnswer || alike.length === 0) return;
      setWanted(cursor.key);
      if (hasMore && !isBusy) void run(inbox.all);
    },
    approve: () => presses.press(batch.length > 0 ? BAR : CARD, 'a', ownMoves.own === cursor.key),
    deny: () => pressKeyed(batch.length > 0 ? BAR : CARD, 'd'),
    edit: () => pressKeyed(CARD, 'e'),
    open: () => (isWide ? focusCard() : show(item, 'push')),
    back: () => {
      if (presses.isKept) presses.drop();
      else if (batch.length > 0) setSelected(new Set());
      else back();
    },
    search: () => search.current?.focus(),
  };
  useInboxKeys((action, event) => {
    event.preventDefault();
    act[action]();
  });

  const named = namedRequest(location) ?? (isWide && item ? entryLocation(item) : undefined);
  return (
    <main class={isPage ? 'inbox has-page' : 'inbox'} tabIndex={-1}>
      <ConnectionBanner
        status={state.connection}
        isSlow={slow.count > 0}
        clock={clock}
        onReconnect={inbox.reconnect}
      />
      <div class="inbox-pane" data-scrolls>
        <InboxHead tab="waiting" onMenu={onMenu}>
          <Freshness total={state.total} asOf={state.asOf} isLive={isLive} clock={clock} />
          <p class="unseen" role="status">
            {news}
          </p>
          <div class="inbox-tools">
            <NotificationsSwitch notices={notices} />
            {ended > 0 && (
              <Button kind="quiet" onClick={inbox.removeFinished}>
                {tn(ended, 'Clear {count} done', 'Clear {count} done')}
              </Button>
            )}
          </div>
        </InboxHead>
        <InboxFilters
          filter={filter}
          items={state.items}
          search={search}
          onFilter={(next) => onGo(withFilter(location, next), 'replace')}
          onLeave={focusRow}
        />
        <InboxCount
          shown={rows.filter(({ isOpen }) => isOpen).length}
          total={state.total}
          isFiltered={isFiltered(filter)}
          hasMore={matching.more !== undefined}
          waiting={waiting}
        />
        {state.asOf !== null && rows.length === 0 && (
          <div class="inbox-empty">
            {isFiltered(filter) ? (
              <>
                <h2>{t('Nothing matches')}</h2>
                <p>
                  {t('Other requests may wait. New ones that match appear here automatically.')}
                </p>
                <div class="choices">
                  <Button onClick={() => onGo(withFilter(location, {}), 'replace')}>
                    {t('Show everything')}
                  </Button>
                </div>
              </>
            ) : (
              <>
                <h2>{t('You’re all caught up')}</h2>
                <p>{t('New requests appear here automatically.')}</p>
                <div class="choices">
                  <a class="button plain" href={addressOf({ page: 'inbox', tab: 'history' })}>
                    {t('What was decided')}
                  </a>
                  <a class="button plain" href={addressOf({ settings: 'connect' })}>
                    {t('Connect an agent')}
                  </a>
                </div>
              </>
            )}
          </div>
        )}
        <InboxList
          items={rows}
          {...{ clock, location, selected, canAnswer, moves }}
          me={person}
          cursorKey={cursor.key}
          isShown={isWide || isPage}
          results={deciding.results}
          onShow={(one) => {
            show(one, isWide ? 'replace' : 'push');
          }}
          onSelect={toggle}
          onHold={onHold}
        />
        {isFiltered(filter)
          ? matching.more !== undefined && (
              <Button isBusy={isBusy} onClick={() => void run(matching.more ?? inbox.more)}>
                {t('Look further')}
              </Button>
            )
          : unread > 0 && (
              <Button isBusy={isBusy} onClick={() => void run(inbox.more)}>
                {tn(unread, 'Show {count} more', 'Show {count} more')}
              </Button>
            )}
        <FailureNote text={failure ?? matching.failure} />
        {batch.length > 0 && (
          <BatchBar
            items={batch}
            {...{ seen, deciding, clock, isLive }}
            onShowUnseen={() =>
              show(
                batch.find(({ entry }) => !seen.has(alikeKeyOf(entry))),
                'push',
              )
            }
            onClear={() => {
              setSelected(new Set());
              focusRow();
            }}
          />
        )}
      </div>
      {named !== undefined && (
        <ShownRequest
          {...named}
          {...{ transport, clock, canAnswer }}
          key={model.inboxKeyOf(named)}
          sessionTitle={item?.entry.sessionTitle}
          labels={item && (item.entry.sessionLabels ?? {})}
          version={itemVersionOf(item)}
          me={person}
          isAnswerable={isLive}
          hasKeys
          onSlow={slow.note}
          isAwaited={ownMoves.own === model.inboxKeyOf(named)}
          onSettled={() => {
            inbox.markAnswered(model.inboxKeyOf(named));
            goOn([model.inboxKeyOf(named)]);
          }}
          onReopened={(place) => onGo(withSelected(location, place), 'replace')}
          onBack={isWide ? undefined : back}
          {...(item !== undefined && {
            onSeen: () => setSeen((before) => new Set([...before, alikeKeyOf(item.entry)])),
          })}
        >
          {presses.isKept && (
            <p class="card-hint" role="status">
              {t('Your press counts in a moment. Esc takes it back.')}
            </p>
          )}
          {canAnswer && alike.length > 1 && batch.length < alike.length && (
            <p class="inbox-alike">
              {hasMore
                ? t('{count} of the {loaded} loaded requests ask the same', {
                    count: alike.length,
                    loaded: rows.length,
                  })
                : tn(
                    alike.length,
                    '{count} request asks the same',
                    '{count} requests ask the same',
                  )}
              <Button
                kind="quiet"
                aria-keyshortcuts={keysOf('selectAlike')}
                onClick={act.selectAlike}
              >
                {hasMore
                  ? t('Select all that ask the same')
                  : tn(alike.length, 'Select {count}', 'Select all {count}')}
              </Button>
            </p>
          )}
        </ShownRequest>
      )}
    </main>
  );
}

function focusCard(): void {
  document.querySelector<HTMLElement>(CARD)?.focus();
}

/** What others change of an open request: also whom it is for, who approved it and who looks at it. */
function itemVersionOf(item: model.InboxItem | undefined): string {
  const { expiresAt, inputDigest, audience, votes, claim } = item?.entry ?? {};
  return JSON.stringify([item?.isOpen, expiresAt, inputDigest, audience, votes, claim]);
}

function entryLocation({ entry: { sessionId, interactionId } }: model.InboxItem) {
  return { sessionId, interactionId };
}
