import { render } from 'preact';
import { adoptStyle } from '../styles/adopt-style.ts';
import noticesStyle from '../styles/notices.css?inline';
import { storeIn } from '../model/key-value-store.ts';
import { loadPerson } from '../model/person.ts';
import { DeviceNotices } from './device-notices.tsx';
import { endDevice, renewDevice } from './device-subscription.ts';
import { answerServiceWorker } from './show-in-page.ts';

adoptStyle(noticesStyle);

/** Starts what the first screen does not need: the service worker, and its notices. */
export function startDevice(): void {
  const notices = Object.assign(document.createElement('div'), { className: 'notices' });
  document.body.append(notices);
  render(<DeviceNotices />, notices);
  if (!('serviceWorker' in navigator)) return;
  answerServiceWorker();
  // Without a server the device stays as it is until the next start.
  renewDevice(loadPerson(storeIn(() => localStorage))).catch(() => undefined);
  addEventListener('signed-out', () => void endDevice().catch(() => undefined));
}
