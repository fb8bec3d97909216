/** How this device draws attention to requests while a page is open: a sound, and a number on the icon of the app. */
import type { QuietHours } from '../../protocol/schema/quiet-hours.ts';
import type { KeyValueStore } from './key-value-store.ts';

const SOUND_NAME = 'holdpoint.sound';
const BADGE_NAME = 'holdpoint.badge';

export interface AlertSettings {
  /** Off until the person turns it on: a page that makes a sound unasked is a nuisance. */
  readonly sound: boolean;
  readonly badge: boolean;
}

export function loadAlertSettings(store: KeyValueStore): AlertSettings {
  return { sound: store.get(SOUND_NAME) === 'on', badge: store.get(BADGE_NAME) !== 'off' };
}

export function saveAlertSettings(store: KeyValueStore, { sound, badge }: AlertSettings): void {
  store.set(SOUND_NAME, sound ? 'on' : 'off');
  store.set(BADGE_NAME, badge ? 'on' : 'off');
}

/** Whether the time is within the hours, which may pass midnight. A zone that this browser does not know counts as none. */
export function isQuietNow(hours: QuietHours | null, now: number): boolean {
  if (hours === null) return false;
  const { from, to, timeZone } = hours;
  const time = timeIn(timeZone, now);
  if (time === undefined) return false;
  return from < to ? time >= from && time < to : time >= from || time < to;
}

function timeIn(timeZone: string, now: number): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    return format.format(now);
  } catch {
    return undefined;
  }
}
