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
