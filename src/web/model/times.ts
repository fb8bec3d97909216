/** Points in time and durations as people write them, in the language of the screen. */
import { DAY_MS, dates, HOUR_MS, MINUTE_MS } from './absolute-time.ts';
import { perLanguage, t } from './language.ts';

export { DAY_MS, HOUR_MS, MINUTE_MS } from './absolute-time.ts';

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
