import { useEffect, useRef } from 'preact/hooks';
import type { ServerClock } from '../clock.ts';
import { isQuietNow, loadAlertSettings } from '../model/alert-settings.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { Person } from '../model/person.ts';
import { fetchQuietHours } from './device-subscription.ts';

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

/**
 * A soft sound of two notes, made by the browser: no file is fetched, and the policy of the page needs no exception.
 *
 * A browser plays nothing before the person has used the page; then the sound is lost, and the next one is heard.
 */
const NOTES_HZ = [587.33, 783.99];
const NOTE_S = 0.14;
const VOLUME = 0.08;

let context: AudioContext | undefined;

export async function playAlert(): Promise<void> {
  if (!('AudioContext' in globalThis)) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
  const start = context.currentTime + 0.02;
  for (const [index, hertz] of NOTES_HZ.entries()) playNote(context, hertz, start + index * NOTE_S);
}

/** It swells and fades: a note that is cut off clicks. */
function playNote(on: AudioContext, hertz: number, at: number): void {
  const note = on.createOscillator();
  const volume = on.createGain();
  note.type = 'sine';
  note.frequency.value = hertz;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(VOLUME, at + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 2 * NOTE_S);
  note.connect(volume).connect(on.destination);
  note.start(at);
  note.stop(at + 2 * NOTE_S);
}
