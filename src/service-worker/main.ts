/**
 * The service worker of the chat, `/sw.js`: connects the events of the browser with what answers them.
 *
 * A new version waits until every page of the previous one is closed, or until a person presses Reload.
 */
import { readDeviceRecord } from './device-record.ts';
import { answerPress, type NotificationPorts, showMessage } from './notifications.ts';
import {
  removeOtherShells,
  type Shell,
  type ShellPorts,
  shellResponse,
  storeShell,
} from './shell.ts';

declare const self: ServiceWorkerGlobalScope;
/** Put in place by the build. */
declare const SHELL: Shell;
/** The icons of notifications, likewise. */
declare const ICONS: { readonly icon: string; readonly badge: string };

const ports: ShellPorts = {
  caches: self.caches,
  fetch: (request, init) => self.fetch(request, init),
  wait: (ms) => new Promise((done) => self.setTimeout(done, ms)),
};

self.addEventListener('install', (event) => event.waitUntil(storeShell(SHELL, ports)));

self.addEventListener('activate', (event) => {
  event.waitUntil(removeOtherShells(SHELL, ports).then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const response = shellResponse(event.request, SHELL, ports);
  if (response !== undefined) event.respondWith(response);
});

/** The page asks for the version of a worker, and lets a waiting one begin. */
self.addEventListener('message', (event) => {
  if (event.data === 'version') event.ports[0]?.postMessage(SHELL.version);
  if (event.data === 'begin') void self.skipWaiting();
});

const notificationPorts: NotificationPorts = {
  async show({ title, ...content }) {
    // Systems without actions ignore them.
    const options = { ...content, ...ICONS, renotify: content.silent !== true };
    await self.registration.showNotification(title, options);
  },
  async close(tag) {
    for (const one of await self.registration.getNotifications({ tag })) one.close();
  },
  async isInView(place) {
    const windows = await self.clients.matchAll({ type: 'window' });
    const front = windows.filter((one) => one.focused && one.visibilityState === 'visible');
    const answers = await Promise.all(front.map((one) => askPage(one, { inView: place })));
    return answers.includes(true);
  },
  async open(address) {
    const [known] = await self.clients.matchAll({ type: 'window' });
    try {
      if (known === undefined) throw new Error('No window is open');
      const shown = await known.navigate(address);
      await (shown ?? known).focus();
    } catch {
      // A browser may refuse to bring a window to the front, and a window may be of no version yet.
      await self.clients.openWindow(address);
    }
  },
  device: readDeviceRecord,
  fetch: (path, init) => self.fetch(path, init),
};

const ANSWER_WITHIN_MS = 500;

/** Undefined when the page does not answer: it is still loading, or of an older version. */
function askPage(page: WindowClient, question: object): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((answered) => {
    self.setTimeout(() => answered(undefined), ANSWER_WITHIN_MS);
    port1.addEventListener('message', ({ data }) => answered(data));
    port1.start();
    page.postMessage(question, [port2]);
  });
}

self.addEventListener('push', (event) => {
  event.waitUntil(showMessage(event.data?.text() ?? '', notificationPorts));
});

self.addEventListener('notificationclick', (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(answerPress(event.action, notification.data, notificationPorts));
});
