import type { Clock } from '../clock.ts';
import { Notice } from '../components/notice-screen.tsx';
import type { Person } from '../model/person.ts';
import type { WebTransport } from '../transport.ts';

export interface InboxProps {
  readonly transport: WebTransport;
  readonly clock: Clock;
  readonly person: Person;
}

export function Inbox(_props: InboxProps) {
  return (
    <Notice title="Inbox">
      <p>
        <a href="/">To the sessions</a>
      </p>
    </Notice>
  );
}
