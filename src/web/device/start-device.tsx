import { render } from 'preact';
import { isObject } from '../../protocol/types.ts';
import { adoptStyle } from '../styles/adopt-style.ts';
import contrastStyle from '../styles/contrast.css?inline';
import noticesStyle from '../styles/notices.css?inline';
import { storeIn } from '../model/key-value-store.ts';
import { readFragment } from '../model/location.ts';
import { loadPerson, type Person } from '../model/person.ts';
import { fetchBrowserSession } from '../sign-in-requests.ts';
import { DeviceNotices } from './device-notices.tsx';
import { endDevice, renewDevice } from './device-subscription.ts';
import { followKeyboard } from './follow-keyboard.ts';

adoptStyle(noticesStyle);
adoptStyle(contrastStyle);

/** Starts what the first screen does not need: the service worker, its notices, and the room for a keyboard. */
export function startDevice(): void {
  const notices = Object.assign(document.createElement('div'), { className: 'notices' });
  document.body.append(notices);
  render(<DeviceNotices />, notices);
  followKeyboard();
  if (!('serviceWorker' in navigator)) return;
  answerServiceWorker();
  // Without a server the device stays as it is until the next start.
  renewDevice(findPerson).catch(() => undefined);
  addEventListener('signed-out', () => void endDevice().catch(() => undefined));
}

/** By the token that is kept, or by the cookie. */
async function findPerson(): Promise<Person | undefined> {
  const kept = loadPerson(storeIn(() => localStorage));
  return kept ?? (await fetchBrowserSession()).person;
}

/**
 * Tells the service worker what the page shows, because it shows no notification beside the request itself; and closes
 * the notifications of what a person sees.
 */
function answerServiceWorker(): void {
  navigator.serviceWorker.addEventListener('message', ({ data, ports }) => {
    const question: unknown = data;
    ports[0]?.postMessage(isObject(question) && showsRequest(question.inView));
  });
  document.addEventListener('visibilitychange', () => {
    // A message that closes them may not have reached this device.
    if (!document.hidden) closeShown().catch(() => undefined);
  });
}

/** Whether the session of a request is on the screen, or the inbox. */
function showsRequest(request: unknown): boolean {
  const { session } = readFragment(location.hash).location;
  const isHere = isObject(request) && request.sessionId === session;
  return isObject(request) && (isHere || location.pathname === '/inbox');
}

async function closeShown(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const one of (await registration?.getNotifications()) ?? []) {
    const data: unknown = one.data;
    if (isObject(data) && showsRequest(data.request)) one.close();
  }
}
