/** The others who look at a session or a request, in words and as initials. */
import { escapeInvisible } from '../../protocol/escapes.ts';
import type { Presence } from '../../protocol/types.ts';
import { perLanguage, t, tn } from './language.ts';
import { nameOfSubject } from './names.ts';
import type { Person } from './person.ts';

/** More names make a line too long to read. */
const ONLOOKERS_SHOWN = 3;

export interface Onlookers {
  readonly names: readonly string[];
  /** How many look beside those. */
  readonly more: number;
}

/** A credential of an agent is no person, and the server refuses it. */
export function mayLook({ scopes }: Pick<Person, 'scopes'>): boolean {
  return !scopes.includes('agent') || scopes.includes('admin');
}

/** With a request, those who look at that one; how many others do is known of the whole session alone. */
export function othersWhoLook(
  { people, more }: Presence,
  me: { readonly subject: string },
  interactionId?: string,
): Onlookers {
  const others = people.filter(
    (one) =>
      one.subject !== me.subject &&
      (interactionId === undefined || one.interactionId === interactionId),
  );
  // The number of a crowd includes this person, who may not be among the names.
  const isAmongMore = more > 0 && !people.some(({ subject }) => subject === me.subject);
  const names = others.map(({ subject, verified }) =>
    verified ? nameOfSubject(subject) : escapeInvisible(subject),
  );
  const hidden = Math.max(0, names.length - ONLOOKERS_SHOWN);
  const unnamed = interactionId === undefined ? more - Number(isAmongMore) : 0;
  return { names: names.slice(0, ONLOOKERS_SHOWN), more: hidden + unnamed };
}

/** Undefined while no other person looks. */
export function onlookerWords({ names, more }: Onlookers): string | undefined {
  if (names.length === 0) return undefined;
  const last = more > 0 ? [t('{count} more', { count: more })] : [];
  const list = lists().format([...names, ...last]);
  return tn(names.length + more, '{names} is looking', '{names} are looking', { names: list });
}

/** Of the first and the last word; of an address, what stands before the @. */
export function initialsOf(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s._-]+/u).filter((word) => word !== '');
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letters = ends.map((word = '') => [...word][0] ?? '').join('');
  return (letters === '' ? ([...name][0] ?? '') : letters).toLocaleUpperCase();
}

const lists = perLanguage((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));
