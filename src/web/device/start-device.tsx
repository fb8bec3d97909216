import { render } from 'preact';
import { DeviceNotices } from './device-notices.tsx';

/** Starts what the first screen does not need: the styles of later parts, the service worker, and its notices. */
export function startDevice(): void {
  const href = document.querySelector<HTMLMetaElement>('meta[name="later-style"]')?.content;
  if (href !== undefined) {
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'stylesheet', href }),
    );
  }
  const notices = Object.assign(document.createElement('div'), { className: 'notices' });
  document.body.append(notices);
  render(<DeviceNotices />, notices);
}
