import type { Clock } from '../clock.ts';
import { Notice } from '../app/notice-screen.tsx';
import { may, type Person } from '../model/person.ts';
import { keepIn, type Keep } from '../model/key-value-store.ts';
import type { Transport } from '../../client/transport.ts';
import { InboxScreen } from './inbox-screen.tsx';
import { browserNotifier, type Notifier } from './notifier.ts';

export interface InboxProps {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly person: Person;
  readonly keep?: Keep;
  readonly notifier?: Notifier;
}

const DEVICE = keepIn(() => localStorage);

/** Everything that waits for a person; a link to one session does not open it. */
export function Inbox(props: InboxProps) {
  const { transport, clock, person, keep = DEVICE, notifier = browserNotifier } = props;
  if (person.session !== null || !may(person, 'read')) {
    return (
      <Notice title="This link does not open the inbox">
        <p>It is good for less than the whole workspace. Ask for a link that may read all of it.</p>
        <p>
          <a href="/">To what it opens</a>
        </p>
      </Notice>
    );
  }
  const canAnswer = may(person, 'answer');
  return <InboxScreen {...{ transport, clock, me: person, canAnswer, keep, notifier }} />;
}
