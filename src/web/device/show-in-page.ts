/** What the page does about notifications: it says what it shows, and closes the notifications of that. */
import { isObject } from '../../protocol/guards.ts';
import { readFragment } from '../model/location.ts';

/** Answers the service worker, which shows no notification beside the request itself. */
export function answerServiceWorker(): void {
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
