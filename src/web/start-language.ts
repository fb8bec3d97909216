/** The languages of the chat, and the one that this browser shows. A catalogue is fetched only where it is shown. */
import type { KeyValueStore } from './model/key-value-store.ts';
import { ENGLISH, type Language, setLanguage } from './model/language.ts';

type LanguageTexts = Pick<Language, 'catalogue' | 'errors'>;

interface OfferedLanguage {
  /** In its own words. */
  readonly name: string;
  readonly direction: Language['direction'];
  readonly load: () => Promise<LanguageTexts>;
}

export const LANGUAGES: ReadonlyMap<string, OfferedLanguage> = new Map([
  ['en', { name: 'English', direction: 'ltr', load: async () => ENGLISH }],
  [
    'de',
    {
      name: 'Deutsch',
      direction: 'ltr',
      load: async () => (await import('./languages/de.ts')).GERMAN,
    },
  ],
]);

/** Absent while the browser chooses. */
const LANGUAGE_NAME = 'holdpoint.language';

/** Before the first draw: what is on the screen keeps its language. */
export async function startLanguage(
  store: KeyValueStore,
  wanted: readonly string[] = navigator.languages,
): Promise<void> {
  const code = chosenLanguage(store) ?? findLanguage(wanted);
  const offered = LANGUAGES.get(code);
  if (offered === undefined || code === 'en') return showLanguage(ENGLISH, code, wanted);
  const { direction, load } = offered;
  // Without its catalogue, of a server that is gone or new, the page is English rather than empty.
  const texts = await load().catch(() => undefined);
  if (texts === undefined) showLanguage(ENGLISH, 'en', wanted);
  else showLanguage({ locale: code, direction, ...texts }, code, wanted);
}

/** Undefined if the browser chooses. */
export function chosenLanguage(store: KeyValueStore): string | undefined {
  const code = store.get(LANGUAGE_NAME);
  return code !== undefined && LANGUAGES.has(code) ? code : undefined;
}

/** Loads the page anew: a text that is on the screen knows no other language. */
export function chooseLanguage(store: KeyValueStore, code: string | undefined): void {
  if (code === undefined) store.remove(LANGUAGE_NAME);
  else store.set(LANGUAGE_NAME, code);
  location.reload();
}

/** The first of the browser's languages that the chat has. */
export function findLanguage(wanted: readonly string[] = navigator.languages): string {
  return wanted.map(codeOf).find((code) => LANGUAGES.has(code)) ?? 'en';
}

function showLanguage(language: Language, code: string, wanted: readonly string[]): void {
  // English in Britain writes its dates otherwise than in America.
  const locale = wanted.find((one) => codeOf(one) === code && isLanguageTag(one)) ?? code;
  setLanguage({ ...language, locale });
  document.documentElement.lang = code;
  document.documentElement.dir = language.direction;
}

function codeOf(locale: string): string {
  return locale.split(/[^a-z]/i)[0]?.toLowerCase() ?? '';
}

/** A browser without a locale of its system names `en-US@posix`, and every formatter would throw. */
function isLanguageTag(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
}
