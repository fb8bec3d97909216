import { useCallback, useState } from 'preact/hooks';
import type { Transport } from '../../client/transport.ts';
import { NoticeScreen } from '../app/notice-screen.tsx';
import type { ServerClock } from '../clock.ts';
import { storeIn, type KeyValueStore, PUSHED_NAME } from '../model/key-value-store.ts';
import { t, tn } from '../model/language.ts';
import { type Location, addressOf } from '../model/location.ts';
import { hasScope, type Person } from '../model/person.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import inboxStyle from '../styles/inbox.css?inline';
import rowsStyle from '../styles/inbox-rows.css?inline';
import type { InboxEntry } from '../../protocol/types.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { Button } from '../ui/button.tsx';
import { History } from './history.tsx';
import { WaitingRequests } from './waiting-requests.tsx';

// The rules for small windows come last.
adoptStyle(rowsStyle);
adoptStyle(inboxStyle);

export interface InboxProps {
  readonly location: Location;
  readonly transport: Transport;
  readonly clock: ServerClock;
  readonly person: Person;
  readonly onGo: (location: Location, how?: 'push' | 'replace') => void;
  readonly onMenu?: (() => void) | undefined;
  readonly store?: KeyValueStore;
  readonly notifier?: Notifier;
}

/** For a person who may read the workspace. */
export type InboxScreenProps = InboxProps & Required<Pick<InboxProps, 'store' | 'notifier'>>;

const DEVICE_STORE = storeIn(() => localStorage);

/** All open requests of the workspace, and the decisions; a link to one session does not open it. */
export function Inbox(props: InboxProps) {
  const { location, person, store = DEVICE_STORE, notifier = browserNotifier, ...rest } = props;
  if (person.session !== null || !hasScope(person, 'read')) {
    return (
      <NoticeScreen title={t('This link does not open the inbox')}>
        <p>
          {t(
            'It is good for less than the whole workspace. Ask for a link that may read all of it.',
          )}
        </p>
        <p>
          <a href="/">{t('To what it opens')}</a>
        </p>
      </NoticeScreen>
    );
  }
  const Tab = location.tab === 'history' ? History : WaitingRequests;
  return <Tab {...{ location, person, store, notifier }} {...rest} />;
}

const NOTIFICATIONS_NAME = 'holdpoint.notices';

/** New requests: announced to a screen reader, and by the browser while the page is hidden. */
export function useNewRequests(notifier: Notifier, store: KeyValueStore) {
  const notices = useNotifications(notifier, store);
  const [news, setNews] = useState('');
  const onNew = (entries: readonly InboxEntry[]) => {
    notices.notify(entries);
    const [first] = entries;
    if (first === undefined) return;
    const { toolName: tool, sessionTitle, sessionId } = first;
    setNews(
      entries.length === 1
        ? t('New: {tool} in {session}', { tool, session: visibleText(sessionTitle ?? sessionId) })
        : tn(entries.length, '{count} new request', '{count} new requests'),
    );
  };
  return { notices, onNew, news };
}

interface Notifications {
  /** `none`: the browser has no notifications. */
  readonly state: 'on' | 'off' | 'refused' | 'none';
  turn(on: boolean): Promise<void>;
  notify(entries: readonly InboxEntry[]): void;
}

function useNotifications(notifier: Notifier, store: KeyValueStore): Notifications {
  const [isWanted, setWanted] = useState(() => store.get(NOTIFICATIONS_NAME) === 'on');
  const permission = notifier.permission();
  const isOn = isWanted && permission === 'granted';
  const notify = useCallback(
    (entries: readonly InboxEntry[]) => {
      // A device that is notified by push must not be notified twice.
      if (!isOn || !document.hidden || store.get(PUSHED_NAME) === 'on') return;
      for (const { sessionId, sessionTitle, interactionId, toolName } of entries) {
        notifier.show({
          title: t('An agent is waiting for you'),
          body: t('{tool} in {session}', {
            tool: visibleText(toolName),
            session: visibleText(sessionTitle ?? sessionId),
          }),
          tag: `${sessionId} ${interactionId}`,
          onClick: () =>
            location.assign(addressOf({ session: sessionId, interaction: interactionId })),
        });
      }
    },
    [notifier, store, isOn],
  );
  return {
    state: isOn
      ? 'on'
      : permission === 'denied'
        ? 'refused'
        : permission === 'none'
          ? 'none'
          : 'off',
    async turn(on) {
      if (on && notifier.permission() === 'default') await notifier.ask();
      store.set(NOTIFICATIONS_NAME, on ? 'on' : 'off');
      setWanted(on);
    },
    notify,
  };
}

/** The browser asks only once and remembers a refusal, so it is asked only after a press. */
export function NotificationsSwitch({ notices }: { readonly notices: Notifications }) {
  const { state, turn } = notices;
  if (state === 'none') return null;
  if (state === 'refused') {
    return <span class="card-hint">{t('Notifications are off in this browser’s settings')}</span>;
  }
  return (
    <Button kind="quiet" aria-pressed={state === 'on'} onClick={() => void turn(state === 'off')}>
      {state === 'on' ? t('Notifications are on') : t('Notify me')}
    </Button>
  );
}

/** The browser's notifications; a test replaces them. */
export interface Notifier {
  /** `none`: the browser has no notifications. */
  permission(): 'default' | 'granted' | 'denied' | 'none';
  /** Browsers allow this only after a press. */
  ask(): Promise<void>;
  show(what: { title: string; body: string; tag: string; onClick: () => void }): void;
}

export const browserNotifier: Notifier = {
  permission: () => ('Notification' in globalThis ? Notification.permission : 'none'),
  async ask() {
    await Notification.requestPermission();
  },
  show({ title, body, tag, onClick }) {
    try {
      const shown = new Notification(title, { body, tag });
      shown.addEventListener('click', () => {
        shown.close();
        focus();
        onClick();
      });
    } catch {
      // Phones have the constructor and refuse to run it.
    }
  },
};
