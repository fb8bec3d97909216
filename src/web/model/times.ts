/** Points in time as people say them, in the language of their browser. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'narrow' });
const sameYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const dayOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Rounded to the nearest unit: after 50 seconds, "1 min ago" is nearer than "just now". */
export function relativeTime(at: number, now: number): string {
  const past = Math.max(0, now - at);
  const minutes = Math.round(past / MINUTE);
  if (minutes === 0) return 'just now';
  if (minutes < 60) return relative.format(-minutes, 'minute');
  const hours = Math.round(past / HOUR);
  if (hours < 24) return relative.format(-hours, 'hour');
  const days = Math.round(past / DAY);
  if (days < 7) return relative.format(-days, 'day');
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? sameYear : dayOnly).format(at);
}

export function absoluteTime(at: number): string {
  return whole.format(at);
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1_000],
] as const;

/** In the largest unit that divides it, as the agent is told it. */
export function durationInWords(ms: number): string {
  for (const [unit, size] of UNITS) {
    if (ms >= size && ms % size === 0) {
      const count = ms / size;
      return `${count} ${unit}${count === 1 ? '' : 's'}`;
    }
  }
  return `${ms / 1_000} seconds`;
}
