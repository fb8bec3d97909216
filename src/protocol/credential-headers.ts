/** How a client sends its credential: a token, or nothing but the cookie of a browser that is signed in. */

/** In the place of a token: the browser adds its cookie, and no script can read it. */
export const COOKIE = 'cookie';

/** The header shows that a page of the service sends the request: CORS allows it to no other. */
export function credentialHeaders(token: string): Readonly<Record<string, string>> {
  return token === COOKIE ? { 'X-Holdpoint-Client': 'web' } : { Authorization: `Bearer ${token}` };
}
