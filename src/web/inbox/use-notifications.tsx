/** Notifies of new requests while the page is hidden, once the person has asked for it (UI-9). */
import { useCallback, useState } from 'preact/hooks';
import type { InboxEntry } from '../../protocol/types.ts';
import { visibleText } from '../../protocol/escapes.ts';
import { type KeyValueStore, PUSHED_NAME } from '../model/key-value-store.ts';
import { addressOf } from '../model/location.ts';
import { Button } from '../ui/button.tsx';

const NOTIFICATIONS_NAME = 'holdpoint.notices';

interface Notifications {
  /** `none`: the browser has no notifications. */
  readonly state: 'on' | 'off' | 'refused' | 'none';
  turn(on: boolean): Promise<void>;
  notify(entries: readonly InboxEntry[]): void;
}

export function useNotifications(notifier: Notifier, store: KeyValueStore): Notifications {
  const [isWanted, setWanted] = useState(() => store.get(NOTIFICATIONS_NAME) === 'on');
  const permission = notifier.permission();
  const isOn = isWanted && permission === 'granted';
  const notify = useCallback(
    (entries: readonly InboxEntry[]) => {
      // A device that is notified by push must not be notified twice.
      if (!isOn || !document.hidden || store.get(PUSHED_NAME) === 'on') return;
      for (const { sessionId, sessionTitle, interactionId, toolName } of entries) {
        notifier.show({
          title: 'An agent is waiting for you',
          body: visibleText(`${toolName} in ${sessionTitle ?? sessionId}`),
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
    return <span class="card-hint">Notifications are off in this browser’s settings</span>;
  }
  return (
    <Button kind="quiet" aria-pressed={state === 'on'} onClick={() => void turn(state === 'off')}>
      {state === 'on' ? 'Notifications are on' : 'Notify me'}
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
