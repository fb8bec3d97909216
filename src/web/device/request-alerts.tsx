import { useEffect, useRef } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';
import { isQuietNow, loadAlertSettings } from '../model/alert-settings.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { Person } from '../model/person.ts';
import { fetchQuietHours } from './device-subscription.ts';
import { playAlert } from './play-alert.ts';

interface RequestAlertsProps {
  /** How many requests are open. */
  readonly waiting: number;
  readonly person: Person;
  readonly clock: ServerClock;
  readonly store: KeyValueStore;
  /** A test listens here. */
  readonly onSound?: () => Promise<void>;
}

/** Sounds when more requests wait than before, and keeps the number on the icon of the app. It draws nothing. */
export function RequestAlerts(props: RequestAlertsProps) {
  const { waiting, person, clock, store, onSound = playAlert } = props;
  const before = useRef<number>(undefined);
  useEffect(() => {
    const { sound, badge } = loadAlertSettings(store);
    const isMore = before.current !== undefined && waiting > before.current;
    before.current = waiting;
    if (badge) void showBadge(waiting);
    if (isMore && sound) void soundUnlessQuiet();
  }, [waiting]);
  // After a sign-out the number would be that of another person.
  useEffect(() => () => void showBadge(0), []);
  /** Read each time: the person may have changed the hours on another device. */
  const soundUnlessQuiet = async () => {
    const hours = await fetchQuietHours(person).catch(() => null);
    if (!isQuietNow(hours, clock.now())) await onSound();
  };
  return null;
}

/** Browsers have badges for installed apps alone, and some refuse them without a permission. */
export async function showBadge(count: number): Promise<void> {
  if (!('setAppBadge' in navigator)) return;
  try {
    await (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge());
  } catch (cause) {
    console.debug('The badge of the app cannot be set', cause);
  }
}
