/**
 * The cookies of this service: no script reads them, and no page of another site sends them with a change.
 *
 * Beyond loopback their names begin with `__Host-`: a browser then takes them over TLS alone, for this host alone, so no other
 * name of the domain can plant one. On loopback there is no TLS, and cookies of all ports are in one jar, so the port is part
 * of the name.
 */
import { isLoopback } from './own-origin.ts';

export type CookieName = 'sign-in' | 'login';

const MAX_COOKIE_CHARS = 4_096;

export function readCookie(request: Request, name: CookieName): string | undefined {
  const wanted = fullNameOf(request.url, name);
  const header = request.headers.get('Cookie');
  if (header === null) return undefined;
  const values = header.split(';').flatMap((pair) => {
    const [own = '', ...value] = pair.trim().split('=');
    return own === wanted ? [value.join('=')] : [];
  });
  // Two cookies of one name: one of them was planted, and the request does not say which.
  const [value] = values;
  return values.length === 1 && value !== undefined && value.length <= MAX_COOKIE_CHARS
    ? value
    : undefined;
}

export function writeCookie(
  url: string,
  name: CookieName,
  { value, maxAgeMs }: { readonly value: string; readonly maxAgeMs: number },
): string {
  return [
    `${fullNameOf(url, name)}=${value}`,
    'Path=/',
    `Max-Age=${Math.floor(maxAgeMs / 1_000)}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isLoopback(url) ? [] : ['Secure']),
  ].join('; ');
}

export function eraseCookie(url: string, name: CookieName): string {
  return writeCookie(url, name, { value: '', maxAgeMs: 0 });
}

function fullNameOf(url: string, name: CookieName): string {
  return isLoopback(url) ? `holdpoint-${name}-${new URL(url).port}` : `__Host-holdpoint-${name}`;
}
