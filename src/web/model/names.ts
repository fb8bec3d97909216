/**
 * The names of people, as the directory has them, in the place of the subjects that decisions are recorded with.
 *
 * A key names its tokens as it likes. So a name stands only for a subject that an administrator or a login vouches for;
 * what descends from a key is shown as it calls itself.
 */
import { escapeInvisible } from '../../protocol/escapes.ts';

let names: Readonly<Record<string, string>> = {};

export function setNames(known: Readonly<Record<string, string>>): void {
  names = known;
}

export function listNames(): [subject: string, name: string][] {
  return Object.entries(names);
}

/** The actor of an event, or the opener of a request. */
interface Actor {
  readonly subject: string;
  readonly credential?: string | undefined;
  readonly key?: string | undefined;
  readonly root?: string | undefined;
}

export function personName({ subject, credential, key, root }: Actor): string {
  const isOfKey = [credential, key, root].some((id) => id?.startsWith('key_') === true);
  return isOfKey ? escapeInvisible(subject) : nameOfSubject(subject);
}

/** Of the maker of a rule: an administrator makes those of the workspace, and a key may make one of its session. */
export function makerName(subject: string, scope: 'session' | 'workspace' | undefined): string {
  return scope === 'workspace' ? nameOfSubject(subject) : escapeInvisible(subject);
}

/** Of a subject that is vouched for, as that of what only an administrator makes. */
export function nameOfSubject(subject: string): string {
  const name = Object.hasOwn(names, subject) ? names[subject] : undefined;
  return escapeInvisible(name ?? subject);
}
