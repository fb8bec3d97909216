import type { ServerClock } from '../clock.ts';
import { NoticeScreen } from '../app/notice-screen.tsx';
import { hasScope, type Person } from '../model/person.ts';
import { storeIn, type KeyValueStore } from '../model/key-value-store.ts';
import type { Transport } from '../../client/transport.ts';
import { InboxScreen } from './inbox-screen.tsx';
import { browserNotifier, type Notifier } from './use-notifications.ts';

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
  const canAnswer = hasScope(person, 'answer');
  return <InboxScreen {...{ transport, clock, me: person, canAnswer, store, notifier }} />;
}
