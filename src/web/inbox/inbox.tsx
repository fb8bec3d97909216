import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { ConnectionBanner } from '../app/connection-banner.tsx';
import { NoticeScreen } from '../app/notice-screen.tsx';
import { useNow, type ServerClock } from '../clock.ts';
import { FailureNote, useAsyncAction, useSlowCount } from '../hooks/use-async-action.tsx';
import { hasConnection } from '../model/banner.ts';
import { chosenItems, findBatchGroups, toggleChosen } from '../model/inbox-batch.ts';
import { countFinished, countUnread } from '../model/inbox.ts';
import { storeIn, type KeyValueStore } from '../model/key-value-store.ts';
import { hasScope, type Person } from '../model/person.ts';
import { absoluteTime, relativeTime } from '../model/times.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import inboxStyle from '../styles/inbox.css?inline';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { BatchBar } from './batch-bar.tsx';
import { InboxItemRow } from './inbox-item-row.tsx';
import { useInbox } from './use-inbox.ts';
import {
  browserNotifier,
  NotificationsSwitch,
  useNotifications,
  type Notifier,
} from './use-notifications.tsx';

adoptStyle(inboxStyle);

export interface InboxProps {
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly person: Person;
  readonly store?: KeyValueStore;
  readonly notifier?: Notifier;
}

const DEVICE = storeIn(() => localStorage);

/** All open requests of the workspace; a link to one session does not open it. */
export function Inbox(props: InboxProps) {
  const { transport, clock, person, store = DEVICE, notifier = browserNotifier } = props;
  if (person.session !== null || !hasScope(person, 'read')) {
    return (
      <NoticeScreen title="This link does not open the inbox">
        <p>It is good for less than the whole workspace. Ask for a link that may read all of it.</p>
        <p>
          <a href="/">To what it opens</a>
        </p>
      </NoticeScreen>
    );
  }
  return <InboxScreen {...{ transport, clock, person, store, notifier }} />;
}

type InboxScreenProps = Required<InboxProps>;

function InboxScreen({ transport, clock, person, store, notifier }: InboxScreenProps) {
  const canAnswer = hasScope(person, 'answer');
  const notices = useNotifications(notifier, store);
  const inbox = useInbox(transport, clock, notices.notify);
  const { items, total, asOf, connection } = inbox.state;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const { isBusy, failure, run } = useAsyncAction();
  const slow = useSlowCount();
  const groups = useMemo(() => findBatchGroups(items), [items]);
  const batch = chosenItems(items, chosen, groups);
  const unread = countUnread(inbox.state);
  const ended = countFinished(inbox.state);
  const isLive = hasConnection(connection);
  useTabMark(total);
  return (
    <main class="inbox">
      <header class="inbox-head">
        <a class="home" href="/" aria-label="Holdpoint, to the sessions">
          <Brand />
        </a>
        <h1>Inbox</h1>
        <Freshness total={total} asOf={asOf} isLive={isLive} clock={clock} />
        <div class="inbox-tools">
          <NotificationsSwitch notices={notices} />
          {ended > 0 && (
            <Button kind="quiet" onClick={inbox.removeFinished}>
              Clear {ended} done
            </Button>
          )}
        </div>
      </header>
      <ConnectionBanner
        status={connection}
        isSlow={slow.count > 0}
        clock={clock}
        onReconnect={inbox.reconnect}
      />
      {asOf !== null && items.length === 0 && (
        <div class="inbox-empty">
          <h2>You’re all caught up</h2>
          <p>New requests appear here automatically.</p>
        </div>
      )}
      <ol class="inbox-list">
        {items.map((item, position) => (
          <li key={item.key}>
            <InboxItemRow
              {...{ item, transport, clock, canAnswer, position }}
              me={person}
              isAnswerable={isLive}
              onSlow={slow.note}
              isChosen={chosen.includes(item.key) && groups.has(item.key)}
              onChoose={
                canAnswer && groups.has(item.key)
                  ? () => setChosen((before) => toggleChosen(before, item.key, groups))
                  : undefined
              }
              onSeen={() => setSeen((before) => new Set([...before, item.key]))}
              onAnswered={() => inbox.markAnswered(item.key)}
            />
          </li>
        ))}
      </ol>
      {unread > 0 && (
        <Button isBusy={isBusy} onClick={() => void run(inbox.more)}>
          Show {unread} more
        </Button>
      )}
      <FailureNote text={failure} />
      {batch.length > 0 && (
        <BatchBar
          items={batch}
          areSeen={batch.every(({ key }) => seen.has(key))}
          transport={transport}
          clock={clock}
          isLive={isLive}
          onDone={(keys) => {
            setChosen([]);
            for (const key of keys) inbox.markAnswered(key);
          }}
          onClear={() => setChosen([])}
        />
      )}
    </main>
  );
}

interface FreshnessProps {
  readonly total: number;
  readonly asOf: number | null;
  readonly isLive: boolean;
  readonly clock: ServerClock;
}

const FRESHNESS_REFRESH_MS = 10_000;

/** How many requests wait, and how old that number is: an outdated inbox must not look like an empty one. */
function Freshness({ total, asOf, isLive, clock }: FreshnessProps) {
  const now = useNow(clock, FRESHNESS_REFRESH_MS);
  if (asOf === null) return <p class="freshness">Loading…</p>;
  return (
    <p class={isLive ? 'freshness live' : 'freshness stale'}>
      <span role="status">{total === 0 ? 'Nothing waiting' : `${total} waiting`}</span>
      <span>
        {isLive ? 'Live' : 'Not live'} · updated{' '}
        <time dateTime={new Date(asOf).toISOString()} title={absoluteTime(asOf)}>
          {relativeTime(asOf, now)}
        </time>
      </span>
    </p>
  );
}

/** Shows the number of open requests in the title of the tab, and their presence in its icon. */
function useTabMark(count: number): void {
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Inbox · Holdpoint` : 'Inbox · Holdpoint';
  }, [count]);
  const isWaiting = count > 0;
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    // The page names the other icon, because its file name contains a hash.
    const marked = document.querySelector<HTMLMetaElement>('meta[name="waiting-icon"]')?.content;
    if (!isWaiting || link === null || marked === undefined) return;
    const plain = link.href;
    link.href = marked;
    return () => {
      link.href = plain;
    };
  }, [isWaiting]);
}
