import { escapeInvisible } from '../../protocol/escapes.ts';
import { Button } from '../ui/button.tsx';
import { NoticeScreen } from './notice-screen.tsx';

interface SwitchPersonProps {
  readonly current: string;
  readonly offered: string;
  readonly onAccept: () => void;
  readonly onDecline: () => void;
}

/** Shown when a link arrives while another person is signed in: answers would carry the name in the link. */
export function SwitchPerson({ current, offered, onAccept, onDecline }: SwitchPersonProps) {
  return (
    <NoticeScreen title={`Sign in as ${escapeInvisible(offered)}?`}>
      <p>
        You are signed in as <strong>{escapeInvisible(current)}</strong>. The link you opened signs
        you in as <strong>{escapeInvisible(offered)}</strong>; what you decide afterwards is
        recorded under that name.
      </p>
      <div class="actions">
        <Button kind="primary" onClick={onDecline}>
          Stay {escapeInvisible(current)}
        </Button>
        <Button onClick={onAccept}>Switch to {escapeInvisible(offered)}</Button>
      </div>
    </NoticeScreen>
  );
}
