import { perLanguage } from './language.ts';

export function dates(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  return perLanguage((locale) => new Intl.DateTimeFormat(locale, options));
}

const whole = dates({ dateStyle: 'medium', timeStyle: 'short' });

/** A point in time as people write it, in the language of the screen. */
export function absoluteTime(at: number): string {
  return whole().format(at);
}
