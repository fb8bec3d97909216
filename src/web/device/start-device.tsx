import { render } from 'preact';
import { adoptStyle } from '../styles/adopt-style.ts';
import noticesStyle from '../styles/notices.css?inline';
import { DeviceNotices } from './device-notices.tsx';

adoptStyle(noticesStyle);

/** Starts what the first screen does not need: the service worker, and its notices. */
export function startDevice(): void {
  const notices = Object.assign(document.createElement('div'), { className: 'notices' });
  document.body.append(notices);
  render(<DeviceNotices />, notices);
}
