/** Says what opens to somebody who looks elsewhere, once they have asked for it (UI-9). */
import { useCallback, useState } from 'preact/hooks';
import type { InboxEntry } from '../../protocol/types.ts';
import { visibleText } from '../model/escapes.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import { addressOf } from '../model/location.ts';

const NOTIFICATIONS_NAME = 'holdpoint.notices';

export interface Notifications {
  /** `none` where there are none to be had. */
  readonly state: 'on' | 'off' | 'refused' | 'none';
  turn(on: boolean): Promise<void>;
  notify(entries: readonly InboxEntry[]): void;
}

export function useNotifications(notifier: Notifier, store: KeyValueStore): Notifications {
  const [isWanted, setWanted] = useState(() => store.get(NOTIFICATIONS_NAME) === 'on');
  const permission = notifier.permission();
  const isOn = isWanted && permission === 'granted';
  const tell = useCallback(
    (entries: readonly InboxEntry[]) => {
      if (!isOn || !document.hidden) return;
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
    [notifier, isOn],
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
    notify: tell,
  };
}

/** Notifications of the browser, as far as the inbox needs them; a test plays them. */
export interface Notifier {
  /** `none`: this browser has no notifications. */
  permission(): 'default' | 'granted' | 'denied' | 'none';
  /** May be asked only because somebody pressed something. */
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
      // Phones have the constructor and do not let a page use it.
    }
  },
};
