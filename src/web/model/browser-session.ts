/** Who is signed in in this browser without a token, and how a person signs in, as `GET /auth/session` says. */
import { COOKIE } from '../../protocol/credential-headers.ts';
import { isObject } from '../../protocol/types.ts';
import type { Person } from './person.ts';

export interface OfferedLogin {
  /** Of the provider. */
  readonly name: string;
  readonly path: string;
}

export interface BrowserSession {
  /** Undefined: people come with a link alone. */
  readonly login: OfferedLogin | undefined;
  readonly person: Person | undefined;
}

export const LINKS_ALONE: BrowserSession = { login: undefined, person: undefined };

export function readBrowserSession(body: unknown): BrowserSession {
  if (!isObject(body)) return LINKS_ALONE;
  return { login: readOfferedLogin(body.login), person: readPerson(body.person) };
}

function readOfferedLogin(login: unknown): OfferedLogin | undefined {
  return isObject(login) && typeof login.name === 'string' && typeof login.path === 'string'
    ? { name: login.name, path: login.path }
    : undefined;
}

function readPerson(person: unknown): Person | undefined {
  if (!isObject(person)) return undefined;
  const { subject, credential, key, scopes, expiresAt } = person;
  if (typeof subject !== 'string' || typeof credential !== 'string' || typeof key !== 'string') {
    return undefined;
  }
  return {
    token: COOKIE,
    subject,
    credential,
    key,
    via: 'web',
    scopes: Array.isArray(scopes) ? scopes.filter((one) => typeof one === 'string') : [],
    expiresAt: typeof expiresAt === 'number' ? expiresAt : null,
    session: null,
  };
}
