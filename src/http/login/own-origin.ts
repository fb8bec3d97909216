/**
 * Whether a request comes from a page of this service.
 *
 * A cookie goes with every request of a browser, whichever page sends it, and so does the assertion of Cloudflare Access. A page
 * of another site must not act with them: what changes something needs the proof that a page of ours sent it. Browsers write
 * `Origin` and `Sec-Fetch-Site` themselves. A header of our own, or JSON, cannot be sent across origins without a preflight,
 * which such a header fails.
 */
import { isLoopbackHost } from '../../protocol/loopback.ts';
import { wantsSocket } from '../upgrade.ts';

/** The chat sends it with every request that a cookie signs in; CORS allows it to no other origin. */
const CLIENT_HEADER = 'X-Holdpoint-Client';

export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

/** The address under which a browser reaches this service: behind a proxy that ends TLS, the request says `http`. */
export function originOf(url: string): string {
  const { host, protocol } = new URL(url);
  return isLoopback(url) ? `${protocol}//${host}` : `https://${host}`;
}

/** Reading needs no proof but the absence of a foreign page; a request without any of these headers comes from no page. */
export function isForeign(request: Request): boolean {
  const { headers } = request;
  const origin = headers.get('Origin');
  const site = headers.get('Sec-Fetch-Site');
  return (
    (origin !== null && origin !== originOf(request.url)) ||
    // `none`: a person typed the address.
    (site !== null && site !== 'same-origin' && site !== 'none')
  );
}

/** Whether this request changes something, or opens a connection that could. */
export function isChange(request: Request): boolean {
  return !['GET', 'HEAD'].includes(request.method) || wantsSocket(request);
}

export function isProvenOwn(request: Request): boolean {
  const { headers } = request;
  if (isForeign(request) || headers.get('Origin') === null) return false;
  if (wantsSocket(request)) return true;
  const type = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' || headers.has(CLIENT_HEADER);
}
