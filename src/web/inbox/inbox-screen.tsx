import { useMemo, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { ConnectionBanner } from '../app/connection-banner.tsx';
import { type ServerClock, useNow } from '../clock.ts';
import { useAsyncAction } from '../hooks/use-async-action.ts';
import { useSlowCount } from '../hooks/use-slow.ts';
import { hasConnection } from '../model/banner.ts';
import { absoluteTime, relativeTime } from '../model/times.ts';
import type { Viewer } from '../model/cards/outcome-words.ts';
import { findBatchGroups, chosenItems, toggleChosen } from '../model/inbox-batch.ts';
import { countFinished, countUnread } from '../model/inbox.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { Brand } from '../ui/brand.tsx';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { BatchBar } from './batch-bar.tsx';
import { InboxItemRow } from './inbox-item-row.tsx';
import type { Notifier } from './use-notifications.ts';
import { useInbox } from './use-inbox.ts';
import { useNotifications, type Notifications } from './use-notifications.ts';
import { useTabMark } from './use-tab-mark.ts';

interface InboxScreenProps {
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly me: Viewer;
  readonly canAnswer: boolean;
  readonly store: KeyValueStore;
  readonly notifier: Notifier;
}

export function InboxScreen({
  transport,
  clock,
  me,
  canAnswer,
  store,
  notifier,
}: InboxScreenProps) {
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
              item={item}
              transport={transport}
              clock={clock}
              me={me}
              canAnswer={canAnswer}
              isAnswerable={isLive}
              position={position}
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

/** The browser asks only once and remembers a refusal, so it is asked only after a press. */
function NotificationsSwitch({ notices }: { readonly notices: Notifications }) {
  const { state, turn } = notices;
  if (state === 'none') return null;
  if (state === 'refused') {
    return <span class="card-hint">Notifications are off in this browser’s settings</span>;
  }
  return (
    <Button kind="quiet" aria-pressed={state === 'on'} onClick={() => void turn(state === 'off')}>
      {state === 'on' ? 'Notifications are on' : 'Notify me'}
    </Button>
  );
}
