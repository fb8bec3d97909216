import { Button } from '../ui/button.tsx';
import type { Notifications } from './use-notifications.ts';

/** The browser asks once and remembers a no, so it is asked only when somebody pressed this. */
export function NotificationsSwitch({ notices }: { readonly notices: Notifications }) {
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
