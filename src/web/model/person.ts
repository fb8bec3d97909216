/**
 * The signed-in person, as their token describes them.
 *
 * The server alone decides what a token may do. The chat reads the token only to hide actions that would be refused,
 * and to avoid requests with an expired token.
 */
import { decodeBase64Url } from '../../protocol/base64.ts';
import type { Interaction } from '../../protocol/types.ts';
import { HOME_NAME, type KeyValueStore } from './key-value-store.ts';

type PersonScope = 'read' | 'answer' | 'send' | 'agent' | 'admin';

export interface Person {
  readonly token: string;
  readonly subject: string;
  /** The id of the token, or `admin`. */
  readonly credential: string;
  /** The key from which the token descends. */
  readonly key: string;
  /** How the server records its use: `web` for a token, `api` for a key. */
  readonly via: 'web' | 'api';
  readonly scopes: readonly string[];
  readonly expiresAt: number | null;
  /** Set if the token is for one session only. */
  readonly session: string | null;
  /** A key made it: it uses the name of a person without proof, and nothing that names that person asks it. */
  readonly isOfKey?: true;
}

const TOKEN_NAME = 'holdpoint.token';

/** Undefined if no token is stored, or if it is malformed. */
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
  store.remove(HOME_NAME);
}

/** The administrator's key has no claims. */
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
  const { k, i, u, c, x, s, m, r } = claims;
  if (typeof u !== 'string' || u === '') return undefined;
  const credential = typeof i === 'string' ? i : '';
  const mintedBy: unknown = Array.isArray(m) ? m.at(-1) : undefined;
  // The administrator's key is not listed among the makers of a token.
  const own = k === 'key' ? credential : ADMINISTRATOR.key;
  const root = [r, mintedBy, credential].find((one) => typeof one === 'string');
  return {
    token,
    subject: u,
    credential,
    key: typeof mintedBy === 'string' ? mintedBy : own,
    via: k === 'key' ? 'api' : 'web',
    scopes: Array.isArray(c) ? c.filter((one) => typeof one === 'string') : [],
    expiresAt: typeof x === 'number' ? x : null,
    session: typeof s === 'string' ? s : null,
    ...(root?.startsWith('key_') && { isOfKey: true }),
  };
}

export function hasScope(person: Person, scope: PersonScope): boolean {
  return person.scopes.includes('admin') || person.scopes.includes(scope);
}

/** A read by a credential that could act as the agent counts as delivery (INT-16), so the chat does not read then. */
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
