import type { Transport } from '../../client/transport.ts';
import { NoticeScreen } from '../app/notice-screen.tsx';
import type { ServerClock } from '../clock.ts';
import { storeIn, type KeyValueStore } from '../model/key-value-store.ts';
import { t } from '../model/language.ts';
import type { Location } from '../model/location.ts';
import { hasScope, type Person } from '../model/person.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import inboxStyle from '../styles/inbox.css?inline';
import rowsStyle from '../styles/inbox-rows.css?inline';
import { History } from './history.tsx';
import { browserNotifier, type Notifier } from './use-notifications.tsx';
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
