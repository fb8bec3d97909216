/**
 * The service worker of the chat, `/sw.js`: connects the events of the browser with what answers them.
 *
 * A new version waits until every page of the previous one is closed, or until a person presses Reload.
 */
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
