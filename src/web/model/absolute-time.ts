/** Points and spans of time as every card has them, in the language of the screen; relative times are in `times.ts`. */
import { formatNumber, perLanguage } from './language.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function dates(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return perLanguage((locale) => new Intl.DateTimeFormat(locale, options));
}

const whole = dates({ dateStyle: 'medium', timeStyle: 'short' });

/** A point in time as people write it, in the language of the screen. */
export function absoluteTime(at: number): string {
  return whole().format(at);
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
