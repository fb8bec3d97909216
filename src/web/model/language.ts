/**
 * The language of the screen. The English text is the key of its translations, so a screen reads as it is written.
 *
 * 1. `t('Signed in as {name}', { name })`, `tn(count, '{count} request', '{count} requests')` for what is counted, and
 *    `tx('Signed in as {name}', { name: <b>…</b> })` for the children of an element. A number among the values is
 *    written as the language writes numbers; an id or a code is passed as text.
 * 2. The texts are literals, and the call stands in a function: at the top level of a module it would run before
 *    the language is known, and stay English. `npm run check -- words` holds both, and every text to an entry in
 *    `web/languages/de/`.
 * 3. `web/start-language.ts` sets the language once, before the first draw. The server uses this module for the pages of
 *    answer links, which are English.
 */
type Translation = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** Keyed by the English text; of a counted one, by the form for many. */
export type Catalogue = Readonly<Record<string, Translation>>;

export interface Language {
  /** Also how dates and numbers are written: `de-AT`. */
  readonly locale: string;
  readonly direction: 'ltr' | 'rtl';
  readonly catalogue: Catalogue;
  /** Left out where the server's own sentences are in this language. */
  readonly errors?: ErrorTexts | undefined;
}

/** The refusals of the server in another language. */
export interface ErrorTexts {
  /** By the sentence of the server. */
  readonly messages: Readonly<Record<string, string>>;
  /** By the form of a sentence with values, which the replacement names as $1 and $2. */
  readonly patterns: readonly (readonly [form: RegExp, words: string])[];
  /** For a sentence that is neither. */
  readonly codes: Readonly<Record<string, string>>;
}

export type TextValues = Readonly<Record<string, string | number>>;

export const ENGLISH: Language = { locale: 'en', direction: 'ltr', catalogue: {} };

let language = ENGLISH;

export function setLanguage(chosen: Language): void {
  language = chosen;
}

export function t(english: string, values?: TextValues): string {
  return fillPlaces(formOf(english, 'other') ?? english, values);
}

/** The text for a count; `{count}` is the number. */
export function tn(count: number, one: string, other: string, values?: TextValues): string {
  const rule = pluralRules().select(count);
  const english = rule === 'one' ? one : other;
  return fillPlaces(formOf(other, rule) ?? english, { count, ...values });
}

/** The parts of a text, with an element in each place. */
export function tx<Part>(
  english: string,
  values: Readonly<Record<string, Part | string>>,
): (Part | string)[] {
  const parts = (formOf(english, 'other') ?? english).split(PLACE);
  // Every second part is the name of a place.
  return parts.map((part, at) => (at % 2 === 0 ? part : (values[part] ?? `{${part}}`)));
}

export function formatNumber(count: number, options?: Intl.NumberFormatOptions): string {
  return options === undefined
    ? plainNumbers().format(count)
    : new Intl.NumberFormat(language.locale, options).format(count);
}

/** What the server said, in the language of the screen: its sentence, else what its code means; else as it was said. */
export function serverText(message: string, code = ''): string {
  const { errors } = language;
  if (errors === undefined) return message;
  if (Object.hasOwn(errors.messages, message)) return errors.messages[message] ?? message;
  const found = errors.patterns.find(([form]) => form.test(message));
  if (found !== undefined) return message.replace(...found);
  return Object.hasOwn(errors.codes, code) ? (errors.codes[code] ?? message) : message;
}

/** Makes a formatter when it is first used, and again for another language. */
export function perLanguage<Format>(make: (locale: string) => Format): () => Format {
  let made: { readonly locale: string; readonly format: Format } | undefined;
  return () => {
    const { locale } = language;
    if (made?.locale !== locale) made = { locale, format: make(locale) };
    return made.format;
  };
}

const PLACE = /\{(\w+)\}/;
const pluralRules = perLanguage((locale) => new Intl.PluralRules(locale));
const plainNumbers = perLanguage((locale) => new Intl.NumberFormat(locale));

function formOf(english: string, rule: Intl.LDMLPluralRule): string | undefined {
  const { catalogue } = language;
  const found = Object.hasOwn(catalogue, english) ? catalogue[english] : undefined;
  return typeof found === 'object' ? (found[rule] ?? found.other) : found;
}

function fillPlaces(text: string, values: TextValues | undefined): string {
  if (values === undefined) return text;
  return text
    .split(PLACE)
    .map((part, at) => (at % 2 === 0 ? part : valueText(values[part], part)))
    .join('');
}

function valueText(value: string | number | undefined, place: string): string {
  if (typeof value === 'number') return formatNumber(value);
  const text = value ?? `{${place}}`;
  // A name or a path in the other direction would turn the words around it.
  return language.direction === 'rtl' ? `\u2068${text}\u2069` : text;
}
