import { honestProse } from '../model/escapes.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from './notice-screen.tsx';

interface Props {
  readonly current: string;
  readonly offered: string;
  readonly onAccept: () => void;
  readonly onDecline: () => void;
}

/** A link arrived while another person is signed in: answers would carry the name of whoever made the link. */
export function SwitchPerson({ current, offered, onAccept, onDecline }: Props) {
  return (
    <Notice title={`Sign in as ${honestProse(offered)}?`}>
      <p>
        You are signed in as <strong>{honestProse(current)}</strong>. The link you opened signs you
        in as <strong>{honestProse(offered)}</strong>; what you decide afterwards is recorded under
        that name.
      </p>
      <div class="actions">
        <Button kind="primary" onClick={onDecline}>
          Stay {honestProse(current)}
        </Button>
        <Button onClick={onAccept}>Switch to {honestProse(offered)}</Button>
      </div>
    </Notice>
  );
}
