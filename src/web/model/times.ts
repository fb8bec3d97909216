/** Points in time and durations as people write them, in the language of the screen. */
import { dates } from './absolute-time.ts';
import { formatNumber, perLanguage, t } from './language.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The narrow style of other languages is no word: German has “vor 1 m”. */
const relative = perLanguage((locale) => {
  const style = locale.startsWith('en') ? 'narrow' : 'short';
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style });
});
const sameYear = dates({ day: 'numeric', month: 'short' });
const dayOnly = dates({ dateStyle: 'medium' });

/** Rounded to the nearest unit: after 50 seconds, "1 min ago" is nearer than "just now". */
export function relativeTime(at: number, now: number): string {
  const past = Math.max(0, now - at);
  const minutes = Math.round(past / MINUTE_MS);
  if (minutes === 0) return t('just now');
  if (minutes < 60) return relative().format(-minutes, 'minute');
  const hours = Math.round(past / HOUR_MS);
  if (hours < 24) return relative().format(-hours, 'hour');
  const days = Math.round(past / DAY_MS);
  if (days < 7) return relative().format(-days, 'day');
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? sameYear : dayOnly)().format(at);
}

const weekday = dates({ weekday: 'long', day: 'numeric', month: 'long' });
const nearDays = perLanguage((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/** "Today", "Yesterday", then the weekday and the date; the year where it is another one. */
export function dayText(at: number, now: number): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS);
  if (days === 0 || days === 1) return inCapitals(nearDays().format(-days, 'day'));
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? weekday : dayOnly)().format(at);
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function inCapitals(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}

/** The value of a `datetime-local` field, in the time zone of the browser. */
export function localInputTime(at: number): string {
  const offsetMs = new Date(at).getTimezoneOffset() * MINUTE_MS;
  return new Date(at - offsetMs).toISOString().slice(0, 16);
}

/** Undefined for an empty or a half-filled field. */
export function readLocalInputTime(text: string): number | undefined {
  const at = new Date(text).getTime();
  return Number.isNaN(at) ? undefined : at;
}

const SPANS = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** A span of time in words, in the largest unit that divides it. */
export function spanWords(ms: number): string {
  const [unit, size] = SPANS.find(([, one]) => ms >= one && ms % one === 0) ?? [
    'second',
    SECOND_MS,
  ];
  return formatNumber(ms / size, { style: 'unit', unit, unitDisplay: 'long' });
}
