/**
 * Who is signed in, as far as their token says.
 *
 * The server alone decides what a token is good for; what is read here only keeps the chat from offering
 * what would be refused, and from asking with a token that is over.
 */
import { decodeBase64Url } from '../../protocol/base64url.ts';
import type { Interaction } from '../../protocol/types.ts';
import type { KeyValueStore } from './key-value-store.ts';

type PersonScope = 'read' | 'answer' | 'send' | 'agent' | 'admin';

export interface Person {
  readonly token: string;
  readonly subject: string;
  /** The id of the token, or `admin`. */
  readonly credential: string;
  /** The key that it descends from. */
  readonly key: string;
  /** How the server marks what is done with it: `web` for a token, `api` for a key. */
  readonly via: 'web' | 'api';
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  /** Set where the token is for one session and nothing else. */
  readonly session: string | null;
}

const TOKEN_NAME = 'holdpoint.token';

/** Undefined: none was ever given, or it is not one. */
export function loadPerson(store: KeyValueStore): Person | undefined {
  const token = store.get(TOKEN_NAME);
  return token === undefined ? undefined : personOf(token);
}

export function savePerson(store: KeyValueStore, token: string): Person | undefined {
  const person = personOf(token.trim());
  if (person !== undefined) store.set(TOKEN_NAME, person.token);
  return person;
}

export function forgetPerson(store: KeyValueStore): void {
  store.remove(TOKEN_NAME);
}

/** The administrator's key says nothing of itself. */
const ADMINISTRATOR = {
  subject: 'admin',
  credential: 'admin',
  key: 'admin',
  via: 'api',
  scopes: ['admin'],
  expiresAt: null,
  session: null,
} as const;

export function personOf(token: string): Person | undefined {
  if (token === '') return undefined;
  if (!token.startsWith('hp_')) return { token, ...ADMINISTRATOR };
  const claims = claimsOf(token);
  if (claims === undefined) return undefined;
  const { k, i, u, c, x, s, m } = claims;
  if (typeof u !== 'string' || u === '') return undefined;
  const credential = typeof i === 'string' ? i : '';
  const mintedBy: unknown = Array.isArray(m) ? m.at(-1) : undefined;
  // The administrator's key stands in no ancestry.
  const own = k === 'key' ? credential : ADMINISTRATOR.key;
  return {
    token,
    subject: u,
    credential,
    key: typeof mintedBy === 'string' ? mintedBy : own,
    via: k === 'key' ? 'api' : 'web',
    scopes: Array.isArray(c) ? c.filter((one) => typeof one === 'string') : [],
    expiresAt: typeof x === 'number' ? x : null,
    session: typeof s === 'string' ? s : null,
  };
}

export function hasScope(person: Person, scope: PersonScope): boolean {
  return person.scopes.includes('admin') || person.scopes.includes(scope);
}

/** Whoever could act as the agent takes an outcome by looking at it (INT-16), so the chat does not look for them. */
export function couldTakeDelivery(
  { openedBy }: Pick<Interaction, 'openedBy'>,
  { credential, scopes }: Pick<Person, 'credential' | 'scopes'>,
): boolean {
  return scopes.includes('agent') || credential === openedBy.credential;
}

export function isExpired({ expiresAt }: Person, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function claimsOf(token: string): Record<string, unknown> | undefined {
  try {
    const payload = token.slice(3).split('.')[0] ?? '';
    const bytes = decodeBase64Url(payload);
    if (bytes === undefined) return undefined;
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null
      ? (claims as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
